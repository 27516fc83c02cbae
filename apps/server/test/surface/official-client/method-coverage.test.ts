import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientMethods } from './client-methods.ts'
import { TESTED_METHODS } from './tested-methods.ts'

const PROJECT = new URL('../../../../../', import.meta.url)
const PAGE = new URL('docs/hosted-service.md', PROJECT)
/** Matches the names of the official client. Each test that uses it contains one of them. */
const CLIENTS = /\b(?:officialClient|AuthClient|aStorageClient|aKeyedStorageClient|StorageClient)\b/

/** Returns the methods in the docs' table of methods without a test, each with its reason. */
function documentedReasons(): Map<string, string> {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split('## Methods of the clients without a test\n')
  const [text = ''] = section.split('\n## ')
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.flatMap((row) => {
      const [, cell = '', reason = ''] = row.split('|').map((part) => part.trim())
      return [...cell.matchAll(/`([^`]+)`/g)].map(([, method = '']) => [method, reason] as const)
    }),
  )
}

/** Groups of methods that tests keep in a variable of this name. */
const VARIABLES: Readonly<Record<string, string>> = { 'admin.oauth': 'oauth' }

/**
 * Returns a pattern for a call of the method. Groups such as `admin.mfa` have methods of the same name, so the pattern
 * requires the group before the name.
 */
function callOf(method: string): RegExp {
  const [, ...parts] = method.split('.')
  const name = parts.pop() ?? ''
  const group = VARIABLES[parts.join('.')] ?? parts.join('.')
  const before = group === '' ? '\\.' : `(?<!admin\\.)\\b${group.replaceAll('.', '\\.')}\\.`
  return new RegExp(`${before}${name}\\(`)
}

describe('the public methods of the official clients', () => {
  const methods = clientMethods()
  const reasons = documentedReasons()
  const tested = TESTED_METHODS.map(([method]) => method)

  it('every method of the installed clients is called in a test, or has a reason in docs/hosted-service.md', () => {
    expect(methods.length).toBeGreaterThan(120)
    const missing = methods.filter((method) => !tested.includes(method) && !reasons.has(method))
    expect(missing).toEqual([])
  })

  it('the list of tested methods and the docs name only methods of the installed clients, and each of them once', () => {
    const named = [...tested, ...reasons.keys()]
    expect(named.filter((method) => !methods.includes(method))).toEqual([])
    expect(named.filter((method, index) => named.indexOf(method) !== index)).toEqual([])
    expect([...reasons.values()].filter((reason) => reason.length < 20)).toEqual([])
  })

  it('each file in the list of tested methods uses the official client and calls the method', () => {
    const wrong = TESTED_METHODS.filter(([method, file]) => {
      const text = readFileSync(new URL(file, PROJECT), 'utf8')
      return !CLIENTS.test(text) || !callOf(method).test(text)
    })
    expect(wrong).toEqual([])
  })
})
