import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { findUnknownSettings } from './unknown-settings.ts'

const given = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'true']))

it('findUnknownSettings lists the Supabase settings (`GOTRUE_…`) that have no effect here', () => {
  const names = [
    'GOTRUE_PASSKEY_ENABLED',
    'GOTRUE_EXTERNAL_ACME_CLIENT_ID',
    'GOTRUE_JWT_EXP',
    'GOTRUE_EXTERNAL_EMAIL_ENABLED',
    'PATH',
  ]
  expect(findUnknownSettings(given(names))).toEqual(['GOTRUE_EXTERNAL_EMAIL_ENABLED', 'GOTRUE_JWT_EXP'])
})

it('findUnknownSettings lists no Supabase setting (`GOTRUE_…`) that the server reads', async () => {
  const read = ['../../config.ts', 'phone/phone-settings.ts', 'saml/saml-settings.ts'].map((path) =>
    readFile(new URL(path, import.meta.url), 'utf8'),
  )
  const text = (await Promise.all(read)).join('\n')
  const names = [...text.matchAll(/GOTRUE_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name)
  const saml = [...text.matchAll(/(?:readSetting|flag)\('([A-Z_]+)'\)/g)].map(
    ([, name]) => `GOTRUE_SAML_${name}`,
  )
  expect(saml.length).toBeGreaterThan(4)
  expect(findUnknownSettings(given([...names, ...saml]))).toEqual([])
})
