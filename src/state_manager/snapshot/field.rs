//! Fields of records of a fixed size, each a constant that names its place.

/// The field that begins `AT` bytes into a record.
///
/// That the field lies within the record is checked when the code is compiled, so reading
/// and writing fields cannot fail.
#[derive(Clone, Copy)]
pub(in crate::state_manager) struct Field<const AT: usize>;

impl<const AT: usize> Field<AT> {
    /// The bytes of the field.
    #[inline]
    pub(in crate::state_manager) fn get<const WIDTH: usize, const SIZE: usize>(
        self,
        record: &[u8; SIZE],
    ) -> [u8; WIDTH] {
        const { assert!(AT + WIDTH <= SIZE, "the field ends outside the record") };
        let mut field = [0; WIDTH];
        field.copy_from_slice(&record[AT..AT + WIDTH]);
        field
    }

    /// Writes the bytes of the field.
    #[inline]
    pub(in crate::state_manager) fn put<const WIDTH: usize, const SIZE: usize>(
        self,
        record: &mut [u8; SIZE],
        field: [u8; WIDTH],
    ) {
        const { assert!(AT + WIDTH <= SIZE, "the field ends outside the record") };
        record[AT..AT + WIDTH].copy_from_slice(&field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_and_written_where_it_lies() {
        let mut record = [1, 2, 3, 4, 5];
        assert_eq!(Field::<2>.get(&record), [3, 4]);
        Field::<3>.put(&mut record, [8, 9]);
        assert_eq!(record, [1, 2, 3, 8, 9]);
    }
}
