import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hashWebSources } from './stamp.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pegasus-stamp-'))
  write('package-lock.json', '{}')
  write('apps/web/src/main.tsx', 'main')
  write('packages/contracts/src/roles.ts', 'roles')
})

afterEach(() => rmSync(root, { recursive: true }))

it('the stamp of the web sources stays the same when a file is rewritten with the same content', () => {
  const before = hashWebSources(root)
  write('apps/web/src/main.tsx', 'main')
  expect(hashWebSources(root)).toBe(before)
})

it.each([
  'apps/web/src/main.tsx',
  'apps/web/src/new.css',
  'packages/contracts/src/roles.ts',
  'package-lock.json',
])('the stamp of the web sources changes if %s changes', (file) => {
  const before = hashWebSources(root)
  write(file, 'changed')
  expect(hashWebSources(root)).not.toBe(before)
})

it('the stamp of the web sources changes if two files swap their contents', () => {
  const before = hashWebSources(root)
  write('apps/web/src/main.tsx', 'roles')
  write('packages/contracts/src/roles.ts', 'main')
  expect(hashWebSources(root)).not.toBe(before)
})

it.each([
  'apps/web/dist/index.html',
  'apps/web/node_modules/x/index.js',
  'apps/web/src/main.test.ts',
  'apps/web/tsconfig.tsbuildinfo',
])('the stamp of the web sources does not depend on %s', (file) => {
  const before = hashWebSources(root)
  write(file, 'changed')
  expect(hashWebSources(root)).toBe(before)
})

function write(file: string, contents: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), contents)
}
