//! Records what a subject answers to the drawn lists of the first seeds, one case a line on
//! standard output. `oracle/record.sh` records Apache Kafka.
//!
//! ```console
//! $ cargo run --example record -- 'java -jar oracle/target/4.3.1/oracle.jar log' 250
//! ```

use std::error::Error;

use retryproof::shadow::record::record;
use retryproof::shadow::Process;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, lists] = arguments.as_slice() else {
        return Err("give the command of a subject and a number of lists".into());
    };
    let mut subject = Process::of_command_line(command).ok_or("no command")?;
    for seed in 0..lists.parse()? {
        let recorded = record(&mut subject, seed)?;
        println!("{}", serde_json::to_string(&recorded)?);
    }
    Ok(())
}
