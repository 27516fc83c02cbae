import type { AuditEntry } from '@pegasus/contracts/audit'
import { expect, it } from 'vitest'
import { groupEntries } from './group-entries.ts'

// The object has only the fields that the tested function reads.
const entry = (id: string, request: string | null) =>
  ({ id, request_id: request, entity: 'item' }) as AuditEntry

const grouped = (...entries: AuditEntry[]) =>
  groupEntries(entries).map(({ lead, others, index }) => [index, lead.id, ...others.map(({ id }) => id)])

it('groupEntries joins neighboring entries of the same request, but never entries without a request', () => {
  expect(
    grouped(
      entry('published', 'a'),
      entry('linked', 'a'),
      entry('added', 'a'),
      entry('signed in', 'b'),
      entry('at night', null),
      entry('later that night', null),
      entry('a again', 'a'),
    ),
  ).toEqual([
    [0, 'published', 'linked', 'added'],
    [3, 'signed in'],
    [4, 'at night'],
    [5, 'later that night'],
    [6, 'a again'],
  ])
})

it("groupEntries joins one person's changes of a product within a minute", () => {
  const ofProduct = (id: string, at: string, actor = 'Maxi', product = 'Dragon') =>
    ({
      id,
      at: `2026-11-26T10:${at}Z`,
      request_id: id,
      entity: 'product',
      entity_id: product,
      actor: { id: actor },
    }) as AuditEntry
  expect(
    grouped(
      ofProduct('published', '05:50'),
      ofProduct('changed', '05:00'),
      ofProduct('changed before', '04:10'),
      ofProduct('by another', '04:00', 'Jo'),
      ofProduct('another product', '03:59', 'Jo', 'Hook'),
      ofProduct('long ago', '01:00', 'Jo', 'Hook'),
    ),
  ).toEqual([
    [0, 'published', 'changed', 'changed before'],
    [3, 'by another'],
    [4, 'another product'],
    [5, 'long ago'],
  ])
})
