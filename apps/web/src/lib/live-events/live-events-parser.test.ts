import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEventParser } from './live-events-parser.ts'

const parse = (...parts: string[]): string[] => {
  const found: string[] = []
  const take = createEventParser((data) => found.push(data))
  for (const part of parts) take(part)
  return found
}

const STREAM =
  ': connected\n\ndata: {"a":1}\n\n:\n\nevent: x\r\ndata: one\r\ndata:two\r\nid: 7\r\n\r\ndata: last\r\r'
const EVENTS = ['{"a":1}', 'one\ntwo', 'last']

describe('parsing server-sent events', () => {
  test('server-sent events are parsed with every kind of line end, and comments and unknown fields are ignored', () => {
    expect(parse(STREAM)).toEqual(EVENTS)
  })

  test('server-sent events are parsed correctly wherever the network splits the text', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length]
        const parts = at.slice(1).map((end, index) => STREAM.slice(at[index], end))
        expect(parse(...parts)).toEqual(EVENTS)
      }),
    )
    expect(parse(...STREAM)).toEqual(EVENTS)
  })

  test('a server-sent event is dropped if the stream ends before it is complete', () => {
    expect(parse('data: whole\n\ndata: ha')).toEqual(['whole'])
    expect(parse('data: no blank line yet\n')).toEqual([])
  })

  test('exactly one space after the colon of a server-sent event is removed', () => {
    expect(parse('data:  x\n\ndata\n\n')).toEqual([' x', ''])
  })
})
