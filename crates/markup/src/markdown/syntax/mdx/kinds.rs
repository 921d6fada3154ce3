//! Names in findings for constructs that are left out of MDX and Vue pages.

pub(in crate::markdown::syntax) const IMPORT: &str = "mdx-import";
pub(in crate::markdown::syntax) const EXPRESSION: &str = "jsx-expression";
pub(in crate::markdown::syntax) const COMPONENT: &str = "mdx-component";
pub(in crate::markdown::syntax) const VUE_COMPONENT: &str = "vue-component";
