//! Validates data with a JSON Schema.

use serde_json::Value;

/// A schema that allows only the fields that it lists.
pub(crate) struct Closed(jsonschema::Validator);

impl Closed {
    #[track_caller]
    pub(crate) fn of(schema: &str) -> Self {
        let mut schema = serde_json::from_str(schema).unwrap_or_else(|error| panic!("{error} in {schema}"));
        jsonschema::meta::validate(&schema).expect("a schema");
        close(&mut schema);
        Self(jsonschema::validator_for(&schema).expect("a schema"))
    }

    /// Returns the errors in a value, each with its location.
    pub(crate) fn wrong(&self, value: &Value) -> Vec<String> {
        self.0.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
    }
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("type").is_some_and(|kind| kind == "object")
                && !fields.contains_key("additionalProperties")
            {
                fields.insert("additionalProperties".into(), false.into());
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}
