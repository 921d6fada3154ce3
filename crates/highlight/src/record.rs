//! Reads and writes tables as a file: numbers of fixed width, the least significant byte first, and after them all texts.
//!
//! Reading takes a few instructions per number, because nothing is searched for and all texts are validated together. It can't
//! fail: a test writes the only file that is read.

/// The rest of a file.
pub(crate) struct Reader<'t> {
    numbers: &'t [u8],
    text: &'t str,
}

/// The beginning of a file.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) numbers: Vec<u8>,
    pub(crate) text: String,
}

/// Something in a file.
pub(crate) trait Record<'t>: Sized {
    fn read(reader: &mut Reader<'t>) -> Self;

    #[cfg(test)]
    fn write(&self, writer: &mut Writer);
}

/// Reads a file.
pub(crate) fn read<'t, R: Record<'t>>(file: &'t [u8]) -> R {
    let mut reader = Reader { numbers: file, text: "" };
    let (numbers, text) = {
        let length = u32::read(&mut reader) as usize;
        reader.numbers.split_at(length)
    };
    R::read(&mut Reader { numbers, text: std::str::from_utf8(text).expect("texts were written as UTF-8") })
}

/// Returns a file.
#[cfg(test)]
pub(crate) fn written<'t>(record: &impl Record<'t>) -> Vec<u8> {
    let mut writer = Writer::default();
    record.write(&mut writer);
    let length = u32::try_from(writer.numbers.len()).expect("a few megabytes");
    [&length.to_le_bytes(), &writer.numbers[..], writer.text.as_bytes()].concat()
}

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.numbers.split_first_chunk().expect("a file has all numbers of its records");
        self.numbers = rest;
        *bytes
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Record<'_> for $number {
            fn read(reader: &mut Reader<'_>) -> Self {
                Self::from_le_bytes(reader.bytes())
            }

            #[cfg(test)]
            fn write(&self, writer: &mut Writer) {
                writer.numbers.extend(self.to_le_bytes());
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 u128 }

impl Record<'_> for bool {
    fn read(reader: &mut Reader<'_>) -> Self {
        u8::read(reader) != 0
    }

    #[cfg(test)]
    fn write(&self, writer: &mut Writer) {
        u8::from(*self).write(writer);
    }
}

impl<'t> Record<'t> for &'t str {
    fn read(reader: &mut Reader<'t>) -> Self {
        let (text, rest) = reader.text.split_at(u32::read(reader) as usize);
        reader.text = rest;
        text
    }

    #[cfg(test)]
    fn write(&self, writer: &mut Writer) {
        u32::try_from(self.len()).expect("short texts").write(writer);
        writer.text.push_str(self);
    }
}

impl<'t, R: Record<'t>> Record<'t> for Option<R> {
    fn read(reader: &mut Reader<'t>) -> Self {
        bool::read(reader).then(|| R::read(reader))
    }

    #[cfg(test)]
    fn write(&self, writer: &mut Writer) {
        self.is_some().write(writer);
        if let Some(record) = self {
            record.write(writer);
        }
    }
}

impl<'t, R: Record<'t>, const N: usize> Record<'t> for [R; N] {
    fn read(reader: &mut Reader<'t>) -> Self {
        std::array::from_fn(|_| R::read(reader))
    }

    #[cfg(test)]
    fn write(&self, writer: &mut Writer) {
        for record in self {
            record.write(writer);
        }
    }
}

impl<'t, R: Record<'t>> Record<'t> for Vec<R> {
    fn read(reader: &mut Reader<'t>) -> Self {
        (0..u32::read(reader)).map(|_| R::read(reader)).collect()
    }

    #[cfg(test)]
    fn write(&self, writer: &mut Writer) {
        u32::try_from(self.len()).expect("some thousands").write(writer);
        for record in self {
            record.write(writer);
        }
    }
}

/// Defines a structure that is a record of its fields in their order.
macro_rules! record {
    ($(#[$about:meta])* $visibility:vis struct $name:ident $(<$life:lifetime>)? {
        $($(#[$field_about:meta])* $field_visibility:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$about])*
        $visibility struct $name $(<$life>)? {
            $($(#[$field_about])* $field_visibility $field: $type,)*
        }

        impl<'t> $crate::record::Record<'t> for $name $(<$life>)? {
            fn read(reader: &mut $crate::record::Reader<'t>) -> Self {
                Self { $($field: <$type>::read(reader),)* }
            }

            #[cfg(test)]
            fn write(&self, writer: &mut $crate::record::Writer) {
                $(self.$field.write(writer);)*
            }
        }
    };
}

/// Makes an enumeration without data a record: the position of the variant in the list.
macro_rules! record_of_variant {
    ($name:ident: $($variant:ident)*) => {
        impl $crate::record::Record<'_> for $name {
            fn read(reader: &mut $crate::record::Reader<'_>) -> Self {
                [$(Self::$variant,)*][usize::from(u8::read(reader))]
            }

            #[cfg(test)]
            fn write(&self, writer: &mut $crate::record::Writer) {
                (*self as u8).write(writer);
            }
        }
    };
}

pub(crate) use {record, record_of_variant};
