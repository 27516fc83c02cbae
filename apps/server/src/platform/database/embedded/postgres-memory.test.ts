import { describe, expect, it } from 'vitest'
import { sharedBuffersMib } from './postgres-memory.ts'

const GIB = 1024 ** 3

describe('the memory of PostgreSQL', () => {
  it('PostgreSQL gets an eighth of the memory of the machine or container, within bounds', () => {
    const noLimit = 2 ** 63
    expect(sharedBuffersMib(8 * GIB, 0)).toBe(1024)
    expect(sharedBuffersMib(8 * GIB, noLimit)).toBe(1024)
    expect(sharedBuffersMib(64 * GIB, 4 * GIB)).toBe(512)
    expect(sharedBuffersMib(GIB / 2, 0)).toBe(128)
    expect(sharedBuffersMib(256 * GIB, noLimit)).toBe(2048)
  })
})
