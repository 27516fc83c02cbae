import { describe, expect, it } from 'vitest'
import { readProviderSettings } from './provider-settings.ts'

const read = (fields: Record<string, string>) =>
  readProviderSettings(
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`GOTRUE_EXTERNAL_${name}`, value])),
  )

describe('settings of sign-in providers', () => {
  it('built-in providers need only an id and a secret; other providers also need addresses', () => {
    const settings = read({
      GOOGLE_ENABLED: 'true',
      GOOGLE_CLIENT_ID: 'a, b',
      GOOGLE_SECRET: 's',
      GITHUB_ENABLED: 'false',
      ACME_ENABLED: 'true',
      ACME_CLIENT_ID: 'c',
      ACME_SECRET: 's',
      ACME_LABEL: 'Acme Works',
      ACME_AUTHORIZE_URL: 'https://id.acme.example/authorize',
      ACME_TOKEN_URL: 'https://id.acme.example/token',
      ACME_USERINFO_URL: 'https://id.acme.example/me',
      ANONYMOUS_USERS_ENABLED: 'true',
      WEB3_SOLANA_ENABLED: 'true',
      EMAIL_ENABLED: 'true',
    })
    expect(settings).toMatchObject([
      { name: 'acme', label: 'Acme Works', scopes: [], protocol: { kind: 'oauth2', emails: null } },
      {
        name: 'google',
        clientIds: ['a', 'b'],
        protocol: { kind: 'oidc', issuer: 'https://accounts.google.com' },
      },
    ])
  })

  it.each([
    [{ GOOGLE_ENABLED: 'yes' }, 'GOTRUE_EXTERNAL_GOOGLE_ENABLED should hold true or false.'],
    [{ GOOGLE_ENABLED: 'true', GOOGLE_SECRET: 's3cret' }, /GOOGLE_CLIENT_ID should hold/],
    [{ GOOGLE_ENABLED: 'true', GOOGLE_CLIENT_ID: 'a' }, /GOOGLE_SECRET should hold/],
    [{ ACME_ENABLED: 'true', ACME_CLIENT_ID: 'a', ACME_SECRET: 's3cret' }, /ACME_URL should hold/],
    [
      { ACME_ENABLED: 'true', ACME_CLIENT_ID: 'a', ACME_SECRET: 's3cret', ACME_URL: 'ftp://x' },
      /ACME_URL should hold a web/,
    ],
    ...['REDIRECT_URI', 'URL', 'AUTHORIZE_URL', 'TOKEN_URL', 'USERINFO_URL'].map(
      (field): [Record<string, string>, RegExp] => [
        {
          ACME_ENABLED: 'true',
          ACME_CLIENT_ID: 'a',
          ACME_SECRET: 'x',
          [`ACME_${field}`]: 'https://ada:s3cret@id.example.com',
        },
        new RegExp(`ACME_${field} should hold a web address without a user name and a password`),
      ],
    ),
  ])('the provider settings %j are refused with an error that shows no value', (fields, message) => {
    expect(() => read(fields)).toThrow(message)
    expect(() => read(fields)).not.toThrow(/s3cret/)
  })
})
