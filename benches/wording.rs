//! Prints how well `drift` distinguishes differences in wording from differences in spelling: `cargo bench --bench
//! wording`.

#[path = "../tests/it/support/pairs.rs"]
mod pairs;

fn main() {
    let measured = pairs::measure();
    for mistake in &measured.mistakes {
        println!("{mistake}");
    }
    let pairs::Measured { pairs, precision, recall, .. } = measured;
    println!("{pairs} pairs: precision {precision:.3}, recall {recall:.3}");
}
