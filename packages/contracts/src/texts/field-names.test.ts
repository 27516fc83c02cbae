import { expect, test } from 'vitest'
import { spellFieldName } from './field-names.ts'

test.each([
  ['color_hex must be a color such as #FF6A13', 'Color code must be a color such as #FF6A13'],
  ['rejected_quantity must be a whole number from 0 to 9', 'Rejected must be a whole number from 0 to 9'],
  [
    'tracking_url must be a web address (http or https)',
    'Tracking link must be a web address (http or https)',
  ],
  ['tracking_url is too long', 'Tracking link is too long'],
  ['printer_id is not an id', 'Printer is not an id'],
  ['max_stock must be a number', 'Max stock must be a number'],
  ['quantity must be a whole number from 1 to 1000', 'Quantity must be a whole number from 1 to 1000'],
  ['name is required', 'Name is required'],
  ['Bin location must be text', 'Bin location must be text'],
  ['nozzle is clogged', 'nozzle is clogged'],
  ['file_a.stl is damaged', 'file_a.stl is damaged'],
  ['must be a whole number', 'must be a whole number'],
])('%j is shown as %j', (text, shown) => expect(spellFieldName(text)).toBe(shown))
