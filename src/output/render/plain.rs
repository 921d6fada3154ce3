//! Views of `page.html` and `404.html`.

use serde::Serialize;

use super::Renderer;
use super::section::AroundView;
use super::view::{PageView, SectionView};
use base::address::Address;
use base::diagnostic::Diagnostic;
use input::words::Word;
use site::content::DocumentId;

/// `page.html` and `404.html`
#[derive(Debug, Serialize)]
pub(super) struct PlainView {
    page: PageView,
    body: String,
    toc: Vec<SectionView>,
    #[serde(flatten)]
    around: AroundView,
}

impl Renderer<'_> {
    pub(super) fn plain_view(&self, address: &Address, id: DocumentId) -> Result<PlainView, Diagnostic> {
        Ok(PlainView {
            page: self.page_view(address, id),
            body: self.body(id)?,
            toc: self.toc(id),
            around: self.around_view(address, Some(id)),
        })
    }

    pub(super) fn not_found_view(&self) -> PlainView {
        let page =
            PageView::plain(self.words.get(Word::NotFound).into(), self.url(&Address::new("/404.html")));
        PlainView { page, body: String::new(), toc: Vec::new(), around: AroundView::default() }
    }
}
