//! The documents: links lead somewhere, names name something, commands are understood, and
//! the book is whole.

mod book;
mod commands;
mod links;
mod markdown;
mod names;
mod verdicts;
