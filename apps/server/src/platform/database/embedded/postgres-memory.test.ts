import { describe, expect, it } from 'vitest'
import { sharedBuffersMib } from './postgres-memory.ts'

const GIB = 1024 ** 3

describe('the memory of PostgreSQL', () => {
  it('PostgreSQL gets an eighth of the memory of the machine or container, between a minimum and a maximum', () => {
    const noLimit = 2 ** 63
    const free = 256 * GIB
    expect(sharedBuffersMib({ machine: 8 * GIB, container: 0, free })).toBe(1024)
    expect(sharedBuffersMib({ machine: 8 * GIB, container: noLimit, free })).toBe(1024)
    expect(sharedBuffersMib({ machine: 64 * GIB, container: 4 * GIB, free })).toBe(512)
    expect(sharedBuffersMib({ machine: GIB / 2, container: 0, free })).toBe(128)
    expect(sharedBuffersMib({ machine: 256 * GIB, container: noLimit, free })).toBe(2048)
  })

  it('PostgreSQL gets at most a quarter of the free memory', () => {
    expect(sharedBuffersMib({ machine: 16 * GIB, container: 0, free: 2 * GIB })).toBe(512)
    expect(sharedBuffersMib({ machine: 16 * GIB, container: 0, free: GIB / 8 })).toBe(128)
  })
})
