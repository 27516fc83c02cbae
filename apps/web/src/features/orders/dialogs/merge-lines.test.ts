import { describe, expect, it } from 'vitest'
import { mergeLines } from './merge-lines.ts'

const line = (key: string, quantity: string, price = '2', fixedPrice?: string) => ({
  key,
  sku: key,
  name: key.toUpperCase(),
  quantity,
  price,
  ...(fixedPrice && { fixedPrice }),
})
const BASE = [line('a', '1'), line('b', '1'), line('c', '1')]

const merged = (mine: Parameters<typeof mergeLines>[1], theirs: Parameters<typeof mergeLines>[2]) => {
  const { lines, changed, conflicts, dropped } = mergeLines(BASE, mine, theirs)
  return {
    lines: lines.map(({ key, quantity, price }) => `${key} ${quantity} ${price}`),
    changed: changed.map(({ name, saved }) =>
      saved ? `${name} ${saved.quantity} ${saved.price}` : `${name} –`,
    ),
    conflicts,
    ...(dropped.length > 0 && { dropped: dropped.map(({ key, what }) => `${what} of ${key}`) }),
  }
}

describe('lines that two people change', () => {
  it('an order line keeps the typed quantity and gets the saved price, if each was changed by one person', () => {
    const mine = [line('a', '5'), line('b', '1'), line('c', '1')]
    const theirs = [line('a', '1', '3'), line('b', '4'), line('c', '1')]
    expect(merged(mine, theirs)).toEqual({
      lines: ['a 5 3', 'b 4 2', 'c 1 2'],
      changed: ['A 1 3', 'B 4 2'],
      conflicts: [],
    })
    expect(merged([line('a', '5')], [line('a', '4')]).conflicts).toEqual(['a'])
  })

  it('order lines that one person added stay, and lines that one person removed go if the other person left them unchanged', () => {
    const mine = [line('b', '1'), line('c', '1'), line('mine', '2')]
    const theirs = [line('a', '1'), line('b', '1'), line('theirs', '3')]
    expect(merged(mine, theirs)).toEqual({
      lines: ['b 1 2', 'theirs 3 2', 'mine 2 2'],
      changed: ['C –', 'THEIRS 3 2'],
      conflicts: [],
    })
  })

  it('an order line that one person removed stays if the other person changed it, shipped it or typed in it', () => {
    const mine = [line('c', '7')]
    const theirs = [line('a', '9'), line('b', '1', '2', 'Shipped')]
    expect(merged(mine, theirs)).toEqual({
      lines: ['a 9 2', 'b 1 2', 'c 7 2'],
      changed: ['A 9 2', 'B 1 2', 'C –'],
      conflicts: ['c'],
      dropped: ['removal of a', 'removal of b'],
    })
  })

  it('a typed price is not kept for an order line whose pieces were shipped in the meantime, and the person is told', () => {
    const theirs = [line('a', '1', '2', 'Shipped'), line('b', '1'), line('c', '1')]
    const rest = [line('b', '1'), line('c', '1')]
    expect(merged([line('a', '3', '5'), ...rest], theirs)).toEqual({
      lines: ['a 3 2', 'b 1 2', 'c 1 2'],
      changed: ['A 1 2'],
      conflicts: [],
      dropped: ['price of a'],
    })
    expect(merged([line('a', '3'), ...rest], theirs)).toEqual({
      lines: ['a 3 2', 'b 1 2', 'c 1 2'],
      changed: ['A 1 2'],
      conflicts: [],
    })
  })

  it('a typed price that equals the price of the shipped pieces is kept, and no dropped price is reported', () => {
    const theirs = [line('a', '1', '5', 'Shipped'), line('b', '1'), line('c', '1')]
    const rest = [line('b', '1'), line('c', '1')]
    const result = { lines: ['a 1 5', 'b 1 2', 'c 1 2'], changed: ['A 1 5'], conflicts: [] }
    expect(merged([line('a', '1', '5.00'), ...rest], theirs)).toEqual(result)
    expect(merged([line('a', '1', '6'), ...rest], theirs)).toEqual({ ...result, dropped: ['price of a'] })
    expect(merged([line('a', '1', '2'), ...rest], theirs)).toEqual(result)
  })

  it('a removed order line whose price the other person changed comes back with that price, and the person is told', () => {
    const theirs = [line('a', '1', '3'), line('b', '1'), line('c', '1', '2.00')]
    expect(merged([line('b', '1')], theirs)).toEqual({
      lines: ['a 1 3', 'b 1 2'],
      changed: ['A 1 3'],
      conflicts: [],
      dropped: ['removal of a'],
    })
  })

  it('an item that both people added to an order stays one line, with the typed values', () => {
    const mine = [...BASE, { ...line('item', '3'), sku: 'new' }]
    const rest = ['a 1 2', 'b 1 2', 'c 1 2']
    expect(merged(mine, [...BASE, { ...line('saved', '2'), sku: 'new' }])).toEqual({
      lines: [...rest, 'saved 3 2'],
      changed: ['SAVED 2 2'],
      conflicts: ['saved'],
    })
    expect(merged(mine, [...BASE, { ...line('saved', '3'), sku: 'new' }])).toMatchObject({
      lines: [...rest, 'saved 3 2'],
      conflicts: [],
    })
  })

  it('merged order lines compare numbers by their value, however they were typed', () => {
    const mine = [line('a', '1', '2.00'), line('b', '1', '2.50'), line('c', '1')]
    const theirs = [line('a', '1', '3'), line('b', '1', '2.5'), line('c', '1')]
    expect(merged(mine, theirs)).toEqual({
      lines: ['a 1 3', 'b 1 2.50', 'c 1 2'],
      changed: ['A 1 3', 'B 1 2.5'],
      conflicts: [],
    })
  })
})
