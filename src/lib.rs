pub mod error;
pub mod publish;
