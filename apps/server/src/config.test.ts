import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('readConfig has a default for every setting, and treats empty variables as not set', () => {
    for (const variables of [{}, { PORT: '', DATABASE_URL: ' ', CURRENCY: '' }])
      expect(readConfig(variables)).toMatchObject({
        host: '127.0.0.1',
        port: 3000,
        serverRole: 'all',
        publicUrl: 'http://localhost:3000',
        dataDir: resolve('data'),
        databaseUrl: null,
        owner: { email: 'owner@pegasus.local', username: 'owner', password: null },
        signups: 'approval',
        uploadLimitBytes: 2 ** 30,
        currency: 'USD',
        metrics: 'loopback',
        trustedProxies: [],
        requestsPerSecond: 200,
        signInLimits: { perAccountAndAddress: 20, perAddress: 100 },
        signUpsPerAddress: 60,
        mailIntervalMs: 60_000,
        apiKeyRequestsPerMinute: 600,
        slicerPath: null,
        ai: null,
      })
  })

  it('the option --role overrides SERVER_ROLE, and any role except "all" needs an external database', () => {
    const external = { DATABASE_URL: 'postgres://db.internal/pegasus', SERVER_ROLE: 'web' }
    expect(readConfig(external).serverRole).toBe('web')
    for (const args of [['--role=jobs'], ['--role', 'jobs']])
      expect(readConfig(external, args).serverRole).toBe('jobs')
    expect(() => readConfig(external, ['--role=queue'])).toThrow(
      'SERVER_ROLE holds "queue", but should hold all, web, jobs.',
    )
    for (const args of [['--roles=jobs'], ['--role'], ['jobs']])
      expect(() => readConfig(external, args)).toThrow(
        `The options "${args.join(' ')}" cannot be read. The only option is --role=all, --role=web or --role=jobs.`,
      )
    expect(() => readConfig({ SERVER_ROLE: 'web' })).toThrow(
      'SERVER_ROLE holds "web", but without DATABASE_URL this is the only server; SERVER_ROLE should hold all.',
    )
  })

  it('readConfig reads sizes, lists, numbers and addresses', () => {
    const config = readConfig({
      SIGN_IN_LIMIT_PER_ACCOUNT: '5',
      SIGN_IN_LIMIT_PER_ADDRESS: '1000000',
      MAIL_INTERVAL_SECONDS: '86400',
      API_KEY_REQUESTS_PER_MINUTE: '60',
      UPLOAD_LIMIT: '1.5 GiB',
      SLICER_PATH: process.execPath,
      AI_BASE_URL: 'https://api.example.com/v1/',
      AI_API_KEY: 'sk-1',
      URL_IMPORT_ALLOW: '10.0.0.0/8, nas.local:5000',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      PUBLIC_URL: 'https://ops.example.com/',
      OWNER_EMAIL: 'Ada@Example.com',
    })
    expect(config).toMatchObject({
      signInLimits: { perAccountAndAddress: 5, perAddress: 1_000_000 },
      mailIntervalMs: 86_400_000,
      apiKeyRequestsPerMinute: 60,
      uploadLimitBytes: 1.5 * 2 ** 30,
      slicerPath: process.execPath,
      ai: { baseUrl: 'https://api.example.com/v1', model: 'default', apiKey: 'sk-1' },
      urlImportAllow: [
        { range: '10.0.0.0/8', host: null, port: null },
        { range: null, host: 'nas.local', port: 5000 },
      ],
      trustedProxies: ['10.0.0.0/8', '::1'],
      publicUrl: 'https://ops.example.com',
      owner: { email: 'ada@example.com' },
    })
  })

  it.each([
    ...['true', '2026-01-31', '2999-01-31T12:00:00Z'].map((value) => [
      'DELETE_UNKNOWN_FILES_BEFORE',
      value,
      `DELETE_UNKNOWN_FILES_BEFORE holds "${value}", but should hold a past time such as 2026-01-31T12:00:00Z.`,
    ]),
    ['PORT', 'x', 'PORT holds "x", but should hold a port number from 0 to 65535.'],
    ['PORT', '70000', 'PORT holds "70000", but should hold a port number from 0 to 65535.'],
    [
      'TRUSTED_PROXIES',
      '1',
      'TRUSTED_PROXIES holds "1", but should hold addresses or ranges separated by commas, such as 10.0.0.0/8.',
    ],
    ...['10.0.0.0/8/9', '10.0.0.0/0', '10.0.0.0/33', '::1/129', 'fe80::1%eth0', '10.0.0.1,'].map((value) => [
      'TRUSTED_PROXIES',
      value,
      `TRUSTED_PROXIES holds "${value}", but should hold addresses or ranges separated by commas, such as 10.0.0.0/8.`,
    ]),
    ...['https://ops.example.com/?a=1', 'https://ops.example.com/#a', 'https://?a'].map((value) => [
      'PUBLIC_URL',
      value,
      `PUBLIC_URL holds "${value}", but should hold a web address such as https://ops.example.com.`,
    ]),
    ...(
      [
        ['PUBLIC_URL', 'https://ops.example.com'],
        ['MAIN_SITE_URL', 'https://shop.example.com'],
        ['AI_BASE_URL', 'https://api.example.com/v1'],
      ] as const
    ).map(([name, example]) => [
      name,
      'https://ada:secret@example.com',
      `${name} holds a value of 30 characters, but should hold a web address without a user name and a password, such as ${example}.`,
    ]),
    [
      'GOTRUE_WEBAUTHN_RP_ORIGINS',
      'https://ops.example.com,https://ada:secret@example.com',
      'GOTRUE_WEBAUTHN_RP_ORIGINS holds a value of 54 characters, but should hold origins separated by commas, such as https://ops.example.com.',
    ],
    ...['file:objects', 'file://host/objects', 'file:///a%2Fb', 'file:///a?b', 'file:///a#b'].map((value) => [
      'STORAGE_URL',
      value,
      `STORAGE_URL holds "${value}", but should hold a file: address such as file:///srv/pegasus/objects, or s3://bucket?endpoint=…&region=…&path-style=true.`,
    ]),
    [
      'DATABASE_URL',
      'postgres://u:%ZZ@h/d',
      'DATABASE_URL holds a value of 20 characters, but should hold a PostgreSQL address such as postgres://user:password@host/database.',
    ],
    [
      'OWNER_EMAIL',
      `${'a'.repeat(64)}@${'b.'.repeat(128)}com`,
      'but should hold an email address of at most 320 characters.',
    ],
    ['CURRENCY', 'DOLLAR', 'CURRENCY holds "DOLLAR", but should hold a currency code such as USD.'],
    ['SIGNUPS', 'maybe', 'SIGNUPS holds "maybe", but should hold approval, open or closed.'],
    ...['http://nas', '10.0.0.1,', '*'].map((value) => [
      'URL_IMPORT_ALLOW',
      value,
      `URL_IMPORT_ALLOW holds "${value}", but should hold addresses, ranges or names separated by commas, such as 192.168.1.20 or nas.local:5000.`,
    ]),
    ...['/no/such/slicer', '/etc', 'prusa-slicer', import.meta.filename].map((value) => [
      'SLICER_PATH',
      value,
      `SLICER_PATH holds "${value}", but should hold the absolute path of a program that may be run, such as /usr/bin/prusa-slicer.`,
    ]),
    [
      'AI_BASE_URL',
      'api.example.com',
      'AI_BASE_URL holds "api.example.com", but should hold a web address such as https://api.example.com/v1.',
    ],
    [
      'AI_API_KEY',
      'two\nlines',
      'AI_API_KEY holds a value of 9 characters, but should hold a key without spaces.',
    ],
    ['UPLOAD_LIMIT', 'big', 'UPLOAD_LIMIT holds "big", but should hold a size such as 1GiB.'],
    [
      'PUBLIC_URL',
      'ops.example.com',
      'PUBLIC_URL holds "ops.example.com", but should hold a web address such as https://ops.example.com.',
    ],
    [
      'SHOP_ADDRESS',
      'a|b|c|d|e|f|g|h|i',
      'SHOP_ADDRESS holds "a | b | c | d | e | f | g | h | i", but should hold an address of at most 8 lines of 100 characters, such as 1 Main Street | Reno, NV 89501.',
    ],
    ['LOCALE', '!', 'LOCALE holds "!", but should hold a language tag such as en-GB.'],
    [
      'ROOT_SECRET',
      'short',
      'ROOT_SECRET holds a value of 5 characters, but should hold at least 32 characters.',
    ],
    [
      'OWNER_PASSWORD',
      'five5',
      'OWNER_PASSWORD holds a value of 5 characters, but should hold a password of 6 to 128 characters that is not one of the 100,000 most common.',
    ],
    [
      'OWNER_PASSWORD',
      'Password1',
      'OWNER_PASSWORD holds a value of 9 characters, but should hold a password of 6 to 128 characters that is not one of the 100,000 most common.',
    ],
    [
      'DATABASE_URL',
      'mysql://u:secret@h/d',
      'DATABASE_URL holds a value of 20 characters, but should hold a PostgreSQL address such as postgres://user:password@host/database.',
    ],
    [
      'SMTP_URL',
      'http://user:secret@mail',
      'SMTP_URL holds a value of 23 characters, but should hold a mail server such as smtps://user:password@mail.example.com.',
    ],
    ...[
      'http://127.0.0.1:3310',
      'tcp://127.0.0.1',
      'tcp://127.0.0.1:70000',
      'unix://clamd.ctl',
      '/run/clamd.ctl',
    ].map((value) => [
      'CLAMD_URL',
      value,
      `CLAMD_URL holds "${value}", but should hold the address of a clamd such as tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl.`,
    ]),
    [
      'SECURITY_LOG_URL',
      'https://splunk:S3cret@logs.example.com/events',
      'SECURITY_LOG_URL holds a value of 45 characters, but should hold an address without user and password, such as syslog+tls://logs.example.com:6514 or https://logs.example.com/events (SECURITY_LOG_TOKEN is for a token).',
    ],
    [
      'SECURITY_LOG_TOKEN',
      'a-token',
      'SECURITY_LOG_TOKEN holds a value of 7 characters, but SECURITY_LOG_URL should then hold an HTTP address.',
    ],
    [
      'MAIL_FROM',
      'Pegasus Ops',
      'MAIL_FROM holds "Pegasus Ops", but should hold a sender such as Pegasus Ops <ops@example.com>.',
    ],
    ...['0', '-1', '1.5', '1e3', '1000001', 'many', ' 5'].map((value) => [
      'SIGN_IN_LIMIT_PER_ACCOUNT',
      value,
      `SIGN_IN_LIMIT_PER_ACCOUNT holds "${value}", but should hold a whole number of failed sign-ins from 1 to 1000000.`,
    ]),
    [
      'SIGN_IN_LIMIT_PER_ADDRESS',
      'none',
      'SIGN_IN_LIMIT_PER_ADDRESS holds "none", but should hold a whole number of failed sign-ins from 1 to 1000000.',
    ],
    [
      'MAIL_INTERVAL_SECONDS',
      '86401',
      'MAIL_INTERVAL_SECONDS holds "86401", but should hold a whole number of seconds from 1 to 86400.',
    ],
    ...['API_KEY_REQUESTS_PER_MINUTE', 'REQUESTS_PER_SECOND'].map((name) => [
      name,
      '0',
      `${name} holds "0", but should hold a whole number of requests from 1 to 1000000.`,
    ]),
    ...(
      [
        ['s3:workshop', 'that cannot be read'],
        ['s3://?region=eu-central-1', 'without a bucket'],
        ['s3://a..b?region=x', 'without a bucket'],
        ['s3://workshop:9000?region=x', 'with a port, which belongs to the endpoint'],
        ['s3://workshop/models?region=x', 'with more than a bucket in it'],
        ['s3://workshop?region=x&region=y', 'with region twice'],
      ] as const
    ).map(([value, fault]) => [
      'STORAGE_URL',
      value,
      `STORAGE_URL holds an s3: address ${fault}, but should hold an address such as s3://bucket?endpoint=https://s3.example.com&region=eu-central-1&path-style=true, whose parameters may be left out.`,
    ]),
    [
      'STORAGE_URL',
      's3://workshop?region=x&prefix=models',
      'STORAGE_URL holds an s3: address with the parameter "prefix", which is not supported, but should have only endpoint, region, path-style.',
    ],
    [
      'STORAGE_URL',
      's3://workshop',
      'STORAGE_URL holds an s3: address without a region, but should name one, such as s3://bucket?region=eu-central-1, or AWS_REGION should.',
    ],
    [
      'STORAGE_URL',
      's3://workshop?path-style=yes&region=x',
      'STORAGE_URL holds an s3: address whose path-style is not valid, but it should be true or false.',
    ],
  ] as [string, string, string][])(
    'readConfig says in one sentence what is wrong with %s=%s',
    (name, value, sentence) => {
      expect(() => readConfig({ [name]: value })).toThrow(sentence)
    },
  )

  it('readConfig reads a bucket, with keys and region from the usual AWS variables', () => {
    const bucket = (STORAGE_URL: string, more = {}) => readConfig({ STORAGE_URL, ...more })
    const keys = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'a/secret+1' }
    expect(
      bucket('s3://workshop?endpoint=http://minio:9000/&region=garage&path-style=true', keys),
    ).toMatchObject({
      storageUrl: null,
      s3: {
        bucket: 'workshop',
        endpoint: 'http://minio:9000',
        region: 'garage',
        isPathStyle: true,
        keys: { accessKeyId: 'AKIA1', secretAccessKey: 'a/secret+1', sessionToken: null },
      },
    })
    expect(bucket('s3://workshop', { AWS_REGION: 'eu-central-1', AWS_SESSION_TOKEN: 't' }).s3).toEqual({
      bucket: 'workshop',
      endpoint: null,
      region: 'eu-central-1',
      isPathStyle: false,
      keys: null,
    })
    const supabase = 's3://workshop?endpoint=https%3A%2F%2Fref.example.com%2Fstorage%2Fv1%2Fs3'
    expect(bucket(supabase, { ...keys, AWS_SESSION_TOKEN: 't' }).s3).toMatchObject({
      endpoint: 'https://ref.example.com/storage/v1/s3',
      region: 'us-east-1',
      keys: { sessionToken: 't' },
    })
    expect(readConfig({ AWS_ACCESS_KEY_ID: 'half of a key, for something else' }).s3).toBe(null)
  })

  it('readConfig errors show no part of a bucket address that may contain a key', () => {
    const secret = 'AKIACANARY'
    for (const value of [
      `s3://${secret}:${secret}@workshop?region=x`,
      `s3://${secret}@workshop?region=x`,
      `s3://workshop?region=x&secret-access-key=${secret}`,
      `s3://workshop?region=x&${secret}`,
      `s3://workshop?endpoint=https://${secret}:${secret}@s3.example.com`,
      `s3://workshop?endpoint=https://s3.example.com/?key=${secret}`,
      `s3://workshop?region=${secret}/`,
      `s3://workshop?region=x&path-style=${secret}`,
      `s3://workshop/${secret}?region=x`,
      `s3:${secret}`,
    ]) {
      const read = () => readConfig({ STORAGE_URL: value })
      expect(read).toThrow(/^STORAGE_URL holds an s3: address [^\n]+\.$/)
      expect(read).not.toThrow(new RegExp(secret, 'i'))
    }
    expect(() => readConfig({ STORAGE_URL: 's3://workshop?region=x', AWS_ACCESS_KEY_ID: secret })).toThrow(
      'AWS_SECRET_ACCESS_KEY holds nothing, but should hold the other half of the key in AWS_ACCESS_KEY_ID, because STORAGE_URL names a bucket.',
    )
  })

  it('readConfig accepts three kinds of main site, each with its own kind of key', () => {
    const site = (kind: string, key?: string) =>
      readConfig({
        MAIN_SITE_URL: 'https://shop.example/',
        MAIN_SITE_KIND: kind,
        ...(key !== undefined && { MAIN_SITE_ADMIN_KEY: key }),
      }).mainSite
    const url = 'https://shop.example'
    expect(site('pegasus')).toEqual({
      kind: 'pegasus',
      url,
      adminKey: null,
      adminHeader: 'X-Admin-Key',
      webhookSecret: null,
    })
    expect(site('woocommerce', 'ck_1:cs_2')).toEqual({
      kind: 'woocommerce',
      url,
      consumerKey: 'ck_1',
      consumerSecret: 'cs_2',
      webhookSecret: null,
      decimals: 2,
    })
    expect(site('shopify', 'shpat_1')).toEqual({
      kind: 'shopify',
      url,
      accessToken: 'shpat_1',
      webhookSecret: null,
    })
    expect(() => site('magento')).toThrow(
      'MAIN_SITE_KIND holds "magento", but should hold pegasus, woocommerce, shopify.',
    )
    expect(() => site('woocommerce', 'secret-key')).toThrow(
      'MAIN_SITE_ADMIN_KEY holds a value of 10 characters, but for MAIN_SITE_KIND=woocommerce should hold the consumer key and secret, as ck_…:cs_….',
    )
    expect(() => site('shopify')).toThrow('MAIN_SITE_ADMIN_KEY holds nothing')
  })
})
