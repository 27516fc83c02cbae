import type { StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import { expect, test } from 'vitest'
import { findUndoable, movementDetail, movementTitle, movementWords } from './movement-labels.ts'

// The object has only the fields that the tested functions read.
const aMovement = (part: Partial<StockMovement>) =>
  ({
    id: 'a',
    kind: 'adjust',
    delta: 0,
    reserved_delta: 0,
    undoes_id: null,
    undone_by_id: null,
    document: null,
    from_location: null,
    to_location: null,
    ...part,
  }) as StockMovement

test('stock movements that are older than a count or a move cannot be undone', () => {
  const found = findUndoable([
    aMovement({ id: 'taken', delta: -1 }),
    aMovement({ id: 'confirmed', kind: 'count' }),
    aMovement({ id: 'before the count', delta: -2 }),
    aMovement({ id: 'reserved', kind: 'reserve', reserved_delta: 2 }),
    aMovement({ id: 'moved last', kind: 'move' }),
    aMovement({ id: 'moved first', kind: 'move' }),
    aMovement({ id: 'undone', delta: 3, undone_by_id: 'x' }),
    aMovement({ id: 'undoing', delta: -3, undoes_id: 'x' }),
    aMovement({
      id: 'printed',
      kind: 'produce',
      delta: 4,
      document: { kind: 'print_job', id: 'x', name: 'J-00001' },
    }),
  ])
  expect([...found]).toEqual(['taken', 'reserved', 'moved last'])
})

test('a movement of a parcel, and a reservation whose pieces were shipped or released, cannot be undone', () => {
  const order = { kind: 'order', id: 'one', name: 'WEB-1' } as const
  const other = { kind: 'order', id: 'two', name: 'WEB-2' } as const
  const found = findUndoable([
    aMovement({ id: 'returned', kind: 'return', delta: 1, document: order }),
    aMovement({ id: 'shipped', kind: 'ship', delta: -3, reserved_delta: -3, document: order }),
    aMovement({ id: 'still reserved', kind: 'reserve', reserved_delta: 2, document: other }),
    aMovement({ id: 'shipped by hand', kind: 'ship', delta: -1 }),
    aMovement({ id: 'reserved and shipped', kind: 'reserve', reserved_delta: 3, document: order }),
  ])
  expect([...found]).toEqual(['still reserved', 'shipped by hand'])
})

test('an undone count does not prevent older stock movements from being undone', () => {
  const found = findUndoable([
    aMovement({ id: 'undo', delta: -5, undoes_id: 'count' }),
    aMovement({ id: 'count', kind: 'count', delta: 5, undone_by_id: 'undo' }),
    aMovement({ id: 'before', delta: -2 }),
  ])
  expect([...found]).toEqual(['before'])
})

test.each([
  [{ kind: 'move', from_location: 'Rack A', to_location: null }, 'Rack A → no location'],
  [{ kind: 'count', delta: -3 }, '3 fewer than recorded'],
  [{ kind: 'count', delta: 14 }, '14 more than recorded'],
  [{ kind: 'count', delta: 14, reason: 'Opening stock' }, null],
  [{ kind: 'count' }, 'unchanged'],
  [{ kind: 'ship', delta: -4, reserved_delta: -3 }, '3 of them from reserved'],
  [{ kind: 'adjust', delta: -4 }, null],
] as const)('the detail of the stock movement %o is %j', (part, expected) =>
  expect(movementDetail(aMovement(part))).toBe(expected),
)

test.each([
  [{ delta: -1, reason: 'Scanned' }, 'Taken by scan', null],
  [{ delta: 2, reason: 'Scanned' }, 'Added by scan', null],
  [{ delta: -3, reason: 'Damaged' }, 'Taken', 'Damaged'],
  [{ delta: 1, reason: null }, 'Added', null],
  [{ kind: 'count', delta: 14, reason: 'Opening stock' }, 'Opening stock', null],
  [{ kind: 'receive', delta: 14, reason: 'Opening stock' }, 'Opening stock', null],
  [{ kind: 'count', delta: -2, reason: 'Edited' }, 'Quantity edited', null],
  [{ kind: 'count', delta: -2, reason: 'Stocktake' }, 'Counted', 'Stocktake'],
  [{ delta: 3, reason: 'Undone', undoes_id: 'x' }, 'Undone', null],
] as const)('the title of the stock movement %o is %j and its reason is %j', (part, title, reason) => {
  expect(movementTitle(aMovement(part))).toEqual({ title, reason })
  expect(movementWords(aMovement(part))).toBe(title.toLowerCase())
})
