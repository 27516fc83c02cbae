import { describe, expect, it } from 'vitest'
import { createWedge } from './wedge.ts'

/** Types these keys with a pause of `gapMs` between them. Returns the codes that were read. */
function type(keys: readonly string[], gapMs: number, before: readonly string[] = []): string[] {
  const wedge = createWedge()
  let atMs = 0
  const press = (key: string, afterMs: number): string | null => {
    atMs += afterMs
    return wedge.press(key, atMs)
  }
  const slow = before.map((key) => press(key, 400))
  const fast = keys.map((key, index) => press(key, index === 0 ? 400 : gapMs))
  return [...slow, ...fast].filter((code) => code !== null)
}

const CODE = [...'I-00042']

describe('createWedge', () => {
  it('createWedge recognizes a scanner by its typing speed and by Enter after the code', () => {
    expect(type([...CODE, 'Enter'], 8)).toEqual(['I-00042'])
    expect(type(['Shift', 'I', 'Shift', ...CODE.slice(1), 'Enter'], 8)).toEqual(['I-00042'])
    expect(type([...CODE, 'Enter', ...CODE, 'Enter'], 8)).toEqual(['I-00042', 'I-00042'])
  })

  it('createWedge reads a scanned code correctly after keys that were typed by hand', () => {
    expect(type([...CODE, 'Enter'], 8, ['x', 'y'])).toEqual(['I-00042'])
  })

  it('createWedge ignores the keys that a person types', () => {
    expect(type([...CODE, 'Enter'], 120)).toEqual([])
    expect(type(CODE, 8)).toEqual([])
    expect(type(['a', 'Enter'], 8)).toEqual([])
  })
})
