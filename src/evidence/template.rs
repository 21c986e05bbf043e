//! Templates of pages: HTML in files of its own, filled with values that are escaped.

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior};
use serde::Serialize;

/// A template: name and text.
pub type Template = (&'static str, &'static str);

/// Fills the first of these templates; it may include the others by name.
///
/// # Errors
/// If a template is not one, or asks for a value that is not there: a defect of this program.
pub fn fill(templates: &[Template], values: impl Serialize) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    for (name, text) in templates {
        environment.add_template(name, text)?;
    }
    let first = templates.first().map_or("", |(name, _)| name);
    environment.get_template(first)?.render(Serde(values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Values {
        text: &'static str,
    }

    const VALUES: Values = Values {
        text: "<b> & 'more'",
    };

    #[test]
    fn values_are_escaped() {
        let filled = fill(&[("page", "{{ text }}")], VALUES).expect("a template");
        assert!(
            !filled.contains('<') && filled.contains("&lt;b&gt; &amp;"),
            "{filled}"
        );
    }

    #[test]
    fn a_template_includes_others() {
        let templates = [("page", "a {% include 'part' %}"), ("part", "b")];
        assert_eq!(fill(&templates, VALUES).expect("templates"), "a b");
    }

    #[test]
    fn a_value_that_is_not_there_is_an_error() {
        assert!(fill(&[("page", "{{ txet }}")], VALUES).is_err());
    }
}
