//! The server of the index.

use std::net::TcpListener;

use tiny_http::{Header, Method, Request, Response, ResponseBox, Server};

use super::worlds::{Nowhere, Worlds};

/// Serves the page, and follows its links, until the process ends.
///
/// # Errors
/// If the server cannot be started.
pub fn serve(
    listener: TcpListener,
    page: &str,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let server = Server::from_listener(listener, None)?;
    let mut worlds = Worlds::default();
    for request in server.incoming_requests() {
        let response = answer(&request, page, &mut worlds);
        // A reader who is gone needs no answer.
        let _ = request.respond(response);
    }
    Ok(())
}

fn answer(request: &Request, page: &str, worlds: &mut Worlds) -> ResponseBox {
    if *request.method() != Method::Get {
        return Response::empty(405).boxed();
    }
    match request.url() {
        "/" => with_header(
            Response::from_string(page),
            "Content-Type",
            "text/html; charset=utf-8",
        ),
        // Browsers ask for an icon by themselves.
        "/favicon.ico" => Response::empty(204).boxed(),
        link => match worlds.follow(link) {
            Ok(place) => with_header(
                Response::from_string("").with_status_code(303),
                "Location",
                &place,
            ),
            Err(nowhere) => {
                let status = match nowhere {
                    Nowhere::NoSuchPage => 404,
                    _ => 500,
                };
                let text = format!("{nowhere}\n");
                Response::from_string(text).with_status_code(status).boxed()
            }
        },
    }
}

fn with_header(
    response: Response<std::io::Cursor<Vec<u8>>>,
    name: &str,
    value: &str,
) -> ResponseBox {
    match Header::from_bytes(name, value) {
        Ok(header) => response.with_header(header).boxed(),
        Err(()) => response.boxed(),
    }
}
