import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inProject } from '../boot/project.mjs'
import { billOfMaterials, readLockedPackages } from './bill-of-materials.ts'

/** The oldest allowed version of each package: the first one without a known vulnerability that could affect us. */
const FLOORS: Readonly<Record<string, string>> = {
  fastify: '5.12.5',
  '@fastify/multipart': '10.1.1',
  '@fastify/static': '9.1.1',
}

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  // This license is allowed for the codec library, because it is linked dynamically.
  'LGPL-3.0-or-later',
])

/** The licenses of packages that give no SPDX expression. They were read in the packages' own files. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  'png-js': 'MIT',
  'xml-escape': 'MIT',
  'combine-errors': 'MIT',
  'dejavu-fonts-ttf': 'Bitstream Vera',
}

const partsOf = (version: string): number[] => version.split(/[.-]/).slice(0, 3).map(Number)
const isAtLeast = (version: string, floor: string): boolean => {
  const [a, b] = [partsOf(version), partsOf(floor)]
  const index = a.findIndex((part, place) => part !== b[place])
  return index === -1 || (a[index] ?? 0) > (b[index] ?? 0)
}

const licensesOf = (expression: string): string[] =>
  expression.split(/\s+AND\s+|\s+OR\s+|[()]/).filter(Boolean)

describe('T117 the packages in the lockfile', () => {
  const packages = readLockedPackages()

  it('all packages are pinned by hash, come from the registry, and are not older than the first version without a vulnerability', () => {
    expect(packages.filter(({ integrity }) => !integrity.startsWith('sha512-'))).toEqual([])
    const lockfile = readFileSync(inProject('package-lock.json'), 'utf8')
    expect(lockfile.match(/"(?:resolved|version)": "(?:git|http:|file:)/g)).toBeNull()
    const old = packages.filter(({ name, version }) => !isAtLeast(version, FLOORS[name] ?? '0.0.0'))
    expect(old).toEqual([])
    expect(packages.filter(({ name }) => name in FLOORS).length).toBeGreaterThanOrEqual(3)
    console.info(`T117 packages without a hash 0 of ${packages.length}`)
  })

  it('all packages have licenses that allow our use of them', () => {
    const foreign = packages.filter(({ name, license }) => {
      if (name in READ_BY_HAND) return false
      return license === null || !licensesOf(license).every((each) => ALLOWED.has(each))
    })
    expect(foreign.map(({ name, license }) => `${name}: ${license}`)).toEqual([])
    console.info(`T117 licences that are not allowed ${foreign.length} of ${packages.length}`)
  })

  it('all packages are listed in the bill of materials, except those that only tests need', () => {
    const document = billOfMaterials({ name: 'pegasus-ops', version: '1.0.0' }, packages)
    const names = document.components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'react', 'sharp']))
    expect(names).not.toContain('vitest')
    expect(new Set(document.components.map(({ purl }) => purl)).size).toBe(document.components.length)
    expect(document.components.every(({ hashes: [hash] }) => hash?.content.length === 128)).toBe(true)
  })
})
