//! View of `redirect.html`.

use serde::Serialize;

use super::Renderer;
use base::url::encoded;
use site::content::DocumentId;

/// `redirect.html`
#[derive(Debug, Serialize)]
pub(super) struct RedirectView {
    title: String,
    url: String,
}

impl Renderer<'_> {
    pub(super) fn redirect_view(&self, to: &str, from: DocumentId) -> RedirectView {
        let document = self.site.document(from);
        let url = encoded(&self.resolver().href(document, to));
        RedirectView { title: document.title.clone(), url }
    }
}
