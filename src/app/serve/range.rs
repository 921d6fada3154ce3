//! Range requests: RFC 9110, section 14.

use std::ops::Range;

/// The requested part.
#[derive(Debug, PartialEq)]
pub(super) enum RangeRequest {
    /// The complete file: no header, an unsupported one, or several ranges.
    Whole,
    Part(Range<u64>),
    /// A range that doesn't exist.
    Unsatisfiable,
}

/// Parses a `Range` header for a file of `size` bytes.
pub(super) fn requested(header: Option<&str>, size: u64) -> RangeRequest {
    let Some(part) = header.and_then(|header| header.trim().strip_prefix("bytes=")) else {
        return RangeRequest::Whole;
    };
    // A server may respond to several ranges with the complete file (section 14.2). Browsers don't request them.
    let Some((first, last)) = part.split_once('-').filter(|_| !part.contains(',')) else {
        return RangeRequest::Whole;
    };
    let number = |text: &str| text.trim().parse::<u64>();
    let range = match (number(first), number(last)) {
        (Ok(first), Ok(last)) if first <= last => first..last.saturating_add(1).min(size),
        (Ok(first), Err(_)) if last.trim().is_empty() => first..size,
        (Err(_), Ok(last)) if first.trim().is_empty() => size.saturating_sub(last)..size,
        _ => return RangeRequest::Whole,
    };
    if range.start < range.end { RangeRequest::Part(range) } else { RangeRequest::Unsatisfiable }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, expected: &RangeRequest) {
        assert_eq!(&requested(Some(header), 10), expected, "{header}");
    }

    #[test]
    fn parts_are_read_as_the_standard_says() {
        check("bytes=0-3", &RangeRequest::Part(0..4));
        check("bytes=4-", &RangeRequest::Part(4..10));
        check("bytes=-3", &RangeRequest::Part(7..10));
        check("bytes=-30", &RangeRequest::Part(0..10));
        check("bytes=8-99", &RangeRequest::Part(8..10));
        check("bytes=10-", &RangeRequest::Unsatisfiable);
        check("bytes=-0", &RangeRequest::Unsatisfiable);
        for whole in ["bytes=3-1", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b", "bytes=-", "bytes"] {
            check(whole, &RangeRequest::Whole);
        }
        assert_eq!(requested(None, 10), RangeRequest::Whole);
    }
}
