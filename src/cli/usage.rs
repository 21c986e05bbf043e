//! Errors of usage in one line, instead of clap's several.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::refused;

/// Shows help or version where that was asked for, else says in one line what is wrong.
pub(super) fn explain(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader who closes the pipe has seen enough.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(refused::EXIT)
        }
        _ => refused::tell(&one_line(error)),
    }
}

fn one_line(error: &clap::Error) -> String {
    let reason = match error.kind() {
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => bad_value(error),
        ErrorKind::UnknownArgument => named(error, ContextKind::InvalidArg).map(unknown),
        ErrorKind::InvalidSubcommand => named(error, ContextKind::InvalidSubcommand)
            .map(|command| format!("there is no command \"{command}\"")),
        ErrorKind::MissingRequiredArgument => {
            named(error, ContextKind::InvalidArg).map(|missing| format!("{missing} is missing"))
        }
        _ => None,
    };
    let see_help = match error.kind() {
        ErrorKind::UnknownArgument | ErrorKind::MissingRequiredArgument => "; see --help",
        ErrorKind::InvalidSubcommand => "; see retryproof --help",
        _ => "",
    };
    let hint = match suggestion(error) {
        Some(suggestion) => format!("; nearest: {suggestion}"),
        None => see_help.to_owned(),
    };
    reason.unwrap_or_else(|| first_line(error)) + &hint
}

fn unknown(argument: String) -> String {
    if argument.starts_with('-') {
        format!("there is no flag {argument} here")
    } else {
        format!("\"{argument}\" is one argument too many")
    }
}

/// clap's own words, without its "error: ".
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

/// A value that is refused, with the reason that its reader gives.
fn bad_value(error: &clap::Error) -> Option<String> {
    let reason = std::error::Error::source(error)?;
    let flag = named(error, ContextKind::InvalidArg)?;
    let flag = flag.split(' ').next().unwrap_or_default().to_owned();
    let value = named(error, ContextKind::InvalidValue)?;
    Some(format!("{flag} {value}: {reason}"))
}

fn suggestion(error: &clap::Error) -> Option<String> {
    named(error, ContextKind::SuggestedArg)
        .or_else(|| named(error, ContextKind::SuggestedSubcommand))
}

fn named(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) if !texts.is_empty() => Some(texts.join(", ")),
        _ => None,
    }
}
