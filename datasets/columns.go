package datasets

import "slices"

// Columns are the columns of the dataset's rows as Rows has them, without
// entries. Errors wrap ErrCorrupt or are the file system's.
func (d *Dataset) Columns() ([]Column, error) {
	l, err := d.layout()
	if err != nil {
		return nil, err
	}
	return slices.Clone(l.empty), nil
}
