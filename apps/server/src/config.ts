import { currencyDecimals } from '@pegasus/contracts/money'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@pegasus/contracts/auth/password-rules'
import { PRODUCT_NAME, SIGNUP_MODES } from '@pegasus/contracts/client-config'
import { SERVER_ROLES, type ServerRole } from '@pegasus/contracts/system'
import { hasUserInfo, isBaseAddress } from '@pegasus/contracts/web-address'
import * as z from 'zod'
import {
  aiOf,
  isAddressOrRange,
  isCurrency,
  isDatabaseAddress,
  isFolderAddress,
  isHeaderName,
  isHeaderText,
  isLocale,
  isMailServer,
  isPastTime,
  isPort,
  isProgram,
  isSender,
  parseSize,
} from './config-values.ts'
import {
  findUnknownSettings,
  isCommonPassword,
  readHostedProject,
  readPhoneSettings,
  readProviderSettings,
  readSamlSettings,
  relyingPartyOf,
} from './modules/auth/index.ts'
import { readSender } from './modules/orders/index.ts'
import { readSecurityLogTarget } from './modules/security-log/index.ts'
import type { MainSiteOptions } from './modules/products/index.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from './platform/clock.ts'
import { parseClamdAddress } from './platform/malware-scan/clamd-address.ts'
import { parseAllowRule } from './platform/outbound/outbound-policy.ts'
import { StartupError } from './platform/startup-error.ts'
import { isS3Address, readS3Settings } from './platform/storage/s3-address.ts'
import { readTraceSettings } from './platform/tracing/trace-settings.ts'

/** The maximum length of the email column in the accounts table. */
const MAX_EMAIL_LENGTH = 320
/** The longest pause between two comparisons of a product with the main site: one week. */
const MAX_CHECK_MINUTES = (7 * DAY_MS) / MINUTE_MS
/** The highest value of a limit, which is high enough to disable the limit in practice. */
const MAX_LIMIT = 1_000_000

const originsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
const isOwnerEmail = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && z.email().safeParse(text).success
const allowRulesOf = (text: string) => text.split(',').map((part) => parseAllowRule(part.trim()))

/** Declares a variable whose value must pass `isGood`. `should` completes the error message "should hold …". */
const text = (should: string, isGood: (value: string) => boolean = () => true) =>
  z.string().refine(isGood, { error: should })
const optional = (should: string, isGood?: (value: string) => boolean) => text(should, isGood).optional()
/** Declares a variable for a web address without a user name and a password. */
const webAddress = (example: string) =>
  z
    .string()
    .refine((value) => isBaseAddress(value), {
      error: ({ input }) =>
        `a web address ${hasUserInfo(String(input)) ? 'without a user name and a password, ' : ''}such as ${example}`,
    })
    .optional()

/** The kinds of main site that have an adapter. */
const MAIN_SITE_KINDS = ['pegasus', 'woocommerce', 'shopify'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const wholeNumber = (unit: string, max: number) =>
  text(
    `a whole number of ${unit} from 1 to ${max}`,
    (value) => /^[1-9]\d{0,8}$/.test(value) && Number(value) <= max,
  )
const goodPassword = `a password of ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters that is not one of the 100,000 most common`

const onOrOff = z.enum(['true', 'false'], { error: 'true or false' }).default('false')

/** All environment variables of the server. An empty variable is treated as not set. */
const environment = z.object({
  HOST: text('a host name or address to listen on', (value) => /^[\w.:-]+$/.test(value)).default('127.0.0.1'),
  PORT: text('a port number from 0 to 65535', isPort).default('3000'),
  PUBLIC_URL: webAddress('https://ops.example.com'),
  SERVER_ROLE: z.enum(SERVER_ROLES, { error: SERVER_ROLES.join(', ') }).default('all'),
  TRUSTED_PROXIES: optional('addresses or ranges separated by commas, such as 10.0.0.0/8', (value) =>
    value.split(',').every((part) => isAddressOrRange(part.trim())),
  ),
  DATA_DIR: text('a folder').default('./data'),
  DATABASE_URL: optional(
    'a PostgreSQL address such as postgres://user:password@host/database',
    isDatabaseAddress,
  ),
  STORAGE_URL: optional(
    'a file: address such as file:///srv/pegasus/objects, or s3://bucket?endpoint=…&region=…&path-style=true',
    (value) => isS3Address(value) || isFolderAddress(value),
  ),
  DELETE_UNKNOWN_FILES_BEFORE: optional('a past time such as 2026-01-31T12:00:00Z', isPastTime),
  OWNER_EMAIL: text(`an email address of at most ${MAX_EMAIL_LENGTH} characters`, isOwnerEmail).default(
    'owner@pegasus.local',
  ),
  OWNER_USERNAME: text('a name of 1 to 64 characters without @', (value) =>
    /^[^@\s]{1,64}$/.test(value),
  ).default('owner'),
  OWNER_PASSWORD: optional(goodPassword, (value) => {
    const { length } = [...value]
    return length >= PASSWORD_MIN_LENGTH && length <= PASSWORD_MAX_LENGTH && !isCommonPassword(value)
  }),
  SIGNUPS: z.enum(SIGNUP_MODES, { error: 'approval, open or closed' }).default('approval'),
  SMTP_URL: optional('a mail server such as smtps://user:password@mail.example.com', isMailServer),
  MAIL_FROM: optional('a sender such as Pegasus Ops <ops@example.com>', isSender),
  MAIN_SITE_URL: webAddress('https://shop.example.com'),
  MAIN_SITE_KIND: z.enum(MAIN_SITE_KINDS, { error: MAIN_SITE_KINDS.join(', ') }).default('pegasus'),
  MAIN_SITE_ADMIN_KEY: optional('a key without spaces', isHeaderText),
  MAIN_SITE_ADMIN_HEADER: text('the name of a header such as X-Admin-Key', isHeaderName).default(
    'X-Admin-Key',
  ),
  MAIN_SITE_WEBHOOK_SECRET: optional('a secret of at least 16 characters, without spaces', (value) =>
    /^\S{16,500}$/.test(value),
  ),
  MAIN_SITE_CHECK_MINUTES: wholeNumber('minutes', MAX_CHECK_MINUTES).default('60'),
  ROOT_SECRET: optional('at least 32 characters', (value) => value.length >= 32),
  BACKUP_DIR: optional('the path of a folder', (value) => value.trim() !== ''),
  BACKUP_KEY: optional('at least 16 characters', (value) => value.length >= 16),
  REQUESTS_PER_SECOND: wholeNumber('requests', MAX_LIMIT).default('200'),
  SIGN_IN_LIMIT_PER_ACCOUNT: wholeNumber('failed sign-ins', MAX_LIMIT).default('20'),
  SIGN_IN_LIMIT_PER_ADDRESS: wholeNumber('failed sign-ins', MAX_LIMIT).default('100'),
  SIGN_UP_LIMIT_PER_ADDRESS: wholeNumber('sign-ups', MAX_LIMIT).default('60'),
  MAIL_INTERVAL_SECONDS: wholeNumber('seconds', DAY_MS / SECOND_MS).default('60'),
  SIGNING_KEY_DAYS: wholeNumber('days', 3650).optional(),
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: onOrOff,
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: onOrOff,
  GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: onOrOff,
  GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: onOrOff,
  GOTRUE_PASSKEY_ENABLED: z.enum(['true', 'false'], { error: 'true or false' }).default('true'),
  GOTRUE_WEBAUTHN_RP_ID: optional('a domain name such as example.com', (value) =>
    /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(value),
  ),
  GOTRUE_WEBAUTHN_RP_ORIGINS: optional(
    'origins separated by commas, such as https://ops.example.com',
    (value) => originsOf(value).every((origin) => isBaseAddress(origin) && new URL(origin).origin === origin),
  ),
  GOTRUE_URI_ALLOW_LIST: optional(
    'addresses separated by commas, such as https://app.example.com/**',
    (value) => value.split(',').every((part) => /^[a-z][a-z0-9+.-]*:\/\/[^\s/]/i.test(part.trim())),
  ),
  API_KEY_REQUESTS_PER_MINUTE: wholeNumber('requests', MAX_LIMIT).default('600'),
  UPLOAD_LIMIT: text('a size such as 1GiB', (value) => parseSize(value) > 0).default('1GiB'),
  URL_IMPORT_ALLOW: optional(
    'addresses, ranges or names separated by commas, such as 192.168.1.20 or nas.local:5000',
    (value) => !allowRulesOf(value).includes(null),
  ),
  SIGN_IN_PROVIDER_ALLOW: optional(
    'addresses, ranges or names separated by commas, such as 192.168.1.20 or id.local:8443',
    (value) => !allowRulesOf(value).includes(null),
  ),
  CLAMD_URL: optional(
    'the address of a clamd such as tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl',
    (value) => parseClamdAddress(value) !== null,
  ),
  SLICER_PATH: optional(
    'the absolute path of a program that may be run, such as /usr/bin/prusa-slicer',
    isProgram,
  ),
  AI_BASE_URL: webAddress('https://api.example.com/v1'),
  AI_MODEL: optional('the name of a model, of at most 200 characters', (value) => value.length <= 200),
  AI_API_KEY: optional('a key without spaces', isHeaderText),
  CURRENCY: text('a currency code such as USD', isCurrency).default('USD'),
  LOCALE: optional('a language tag such as en-GB', isLocale),
  METRICS: z.enum(['loopback', 'public', 'off'], { error: 'loopback, public or off' }).default('loopback'),
  SECURITY_LOG_URL: optional(
    'an address without user and password, such as syslog+tls://logs.example.com:6514 or https://logs.example.com/events (SECURITY_LOG_TOKEN is for a token)',
    (value) => readSecurityLogTarget(value) !== null,
  ),
  SECURITY_LOG_TOKEN: optional('a token without spaces', isHeaderText),
  METRICS_TOKEN: optional('at least 16 characters without spaces', (value) => /^\S{16,500}$/.test(value)),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: LOG_LEVELS.join(', ') }).default('info'),
})

/** Variables whose values never appear in an error. */
const SECRET = new Set([
  'DATABASE_URL',
  'OWNER_PASSWORD',
  'ROOT_SECRET',
  'BACKUP_KEY',
  'SMTP_URL',
  'AI_API_KEY',
  'MAIN_SITE_ADMIN_KEY',
  'MAIN_SITE_WEBHOOK_SECRET',
  'METRICS_TOKEN',
  'SECURITY_LOG_URL',
  'SECURITY_LOG_TOKEN',
])

const show = (name: string, value: string | undefined): string =>
  SECRET.has(name) || /\/\/[^/?#]*@/.test(value ?? '')
    ? `a value of ${value?.length ?? 0} characters`
    : `"${value}"`

/** Returns the main site, or null if none is configured. Throws StartupError for a key of the wrong kind. */
function mainSiteOf(value: z.output<typeof environment>): MainSiteOptions | null {
  const { MAIN_SITE_KIND: kind, MAIN_SITE_URL: given, MAIN_SITE_ADMIN_KEY: key } = value
  if (given === undefined) return null
  const url = given.replace(/\/+$/, '')
  const webhookSecret = value.MAIN_SITE_WEBHOOK_SECRET ?? null
  if (kind === 'pegasus')
    return { kind, url, adminKey: key ?? null, adminHeader: value.MAIN_SITE_ADMIN_HEADER, webhookSecret }
  const shown = key ? show('MAIN_SITE_ADMIN_KEY', key) : 'nothing'
  if (kind === 'shopify') {
    if (key !== undefined) return { kind, url, accessToken: key, webhookSecret }
    throw new StartupError(
      `MAIN_SITE_ADMIN_KEY holds ${shown}, but for MAIN_SITE_KIND=shopify should hold an access token of the Admin API.`,
    )
  }
  const [, consumerKey, consumerSecret] = /^(ck_\w+):(cs_\w+)$/.exec(key ?? '') ?? []
  if (consumerKey === undefined || consumerSecret === undefined)
    throw new StartupError(
      `MAIN_SITE_ADMIN_KEY holds ${shown}, but for MAIN_SITE_KIND=woocommerce should hold the consumer key and secret, as ck_…:cs_….`,
    )
  return {
    kind,
    url,
    consumerKey,
    consumerSecret,
    webhookSecret,
    decimals: currencyDecimals(value.CURRENCY),
  }
}

/**
 * Returns the system that gets the security events. Throws StartupError if there is a token, but no HTTP address to
 * which it could be sent.
 */
function securityLogOf({ SECURITY_LOG_URL: url, SECURITY_LOG_TOKEN: token }: z.output<typeof environment>) {
  const target = readSecurityLogTarget(url, token)
  if (token !== undefined && target?.kind !== 'http')
    throw new StartupError(
      `SECURITY_LOG_TOKEN holds ${show('SECURITY_LOG_TOKEN', token)}, but SECURITY_LOG_URL should then hold an HTTP address.`,
    )
  return target
}

/** Returns the role of this server. Throws StartupError if no other server could do the rest of the work. */
function serverRoleOf({ SERVER_ROLE: role, DATABASE_URL: url }: z.output<typeof environment>): ServerRole {
  if (role !== 'all' && url === undefined)
    throw new StartupError(
      `SERVER_ROLE holds "${role}", but without DATABASE_URL this is the only server; SERVER_ROLE should hold all.`,
    )
  return role
}

export type Config = ReturnType<typeof readConfig>

/** Reads the options of the command line as variables. Throws StartupError for an unknown option. */
function readOptions(args: readonly string[]): NodeJS.ProcessEnv {
  try {
    const { role } = parseArgs({ args: [...args], options: { role: { type: 'string' } } }).values
    return role === undefined ? {} : { SERVER_ROLE: role }
  } catch (cause) {
    throw new StartupError(
      `The options ${JSON.stringify(args.join(' '))} cannot be read. The only option is --role=all, --role=web or --role=jobs.`,
      { cause },
    )
  }
}

/**
 * Reads the configuration from environment variables, and from the option `--role`, which has precedence over
 * `SERVER_ROLE`. Throws StartupError. Its message names the first wrong variable, its value, and the kind of value
 * that is expected.
 */
export function readConfig(variables: NodeJS.ProcessEnv = process.env, args: readonly string[] = []) {
  const nonEmpty = Object.fromEntries(
    Object.entries({ ...variables, ...readOptions(args) }).filter((entry): entry is [string, string] =>
      Boolean(entry[1]?.trim()),
    ),
  )
  const parsed = environment.safeParse(nonEmpty)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0])
    throw new StartupError(`${name} holds ${show(name, nonEmpty[name])}, but should hold ${issue?.message}.`)
  }
  const value = parsed.data
  const dataDir = resolve(value.DATA_DIR)
  const s3 = isS3Address(value.STORAGE_URL ?? '') ? readS3Settings(value.STORAGE_URL ?? '', nonEmpty) : null
  const publicUrl = (value.PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, '')
  const relyingParty = relyingPartyOf(publicUrl, {
    id: value.GOTRUE_WEBAUTHN_RP_ID ?? null,
    origins: originsOf(value.GOTRUE_WEBAUTHN_RP_ORIGINS ?? ''),
  })
  return {
    host: value.HOST,
    port: Number(value.PORT),
    /** The work of this server: handling requests (`web`), the background work (`jobs`), or both (`all`). */
    serverRole: serverRoleOf(value),
    publicUrl,
    trustedProxies: value.TRUSTED_PROXIES?.split(',').map((part) => part.trim()) ?? [],
    dataDir,
    databaseUrl: value.DATABASE_URL ?? null,
    /** A `file:` address; null for the default folder or a bucket. */
    storageUrl: s3 === null ? (value.STORAGE_URL ?? null) : null,
    s3,
    /** Files that the database does not know may be deleted if they were stored before this time. */
    deleteUnknownFilesBefore:
      value.DELETE_UNKNOWN_FILES_BEFORE === undefined ? null : new Date(value.DELETE_UNKNOWN_FILES_BEFORE),
    owner: {
      email: value.OWNER_EMAIL.toLowerCase(),
      // Sign-in normalizes entered names in the same way.
      username: value.OWNER_USERNAME.normalize('NFKC'),
      password: value.OWNER_PASSWORD ?? null,
    },
    signups: value.SIGNUPS,
    /** The address of the mail server. If null, all emails stay in the outbox. */
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom: value.MAIL_FROM?.trim() ?? `${PRODUCT_NAME} <no-reply@${new URL(publicUrl).hostname}>`,
    mainSite: mainSiteOf(value),
    /** The pause between two comparisons of a product with its copy on the main site. */
    mainSiteCheckMs: Number(value.MAIN_SITE_CHECK_MINUTES) * MINUTE_MS,
    rootSecret: value.ROOT_SECRET ?? null,
    /** The folder for backups. */
    backupDir: resolve(value.BACKUP_DIR ?? join(dataDir, 'backups')),
    /** The key that encrypts backups. If null, backups are not encrypted. */
    backupKey: value.BACKUP_KEY ?? null,
    requestsPerSecond: Number(value.REQUESTS_PER_SECOND),
    /** The limits for failed sign-ins within 15 minutes. */
    signInLimits: {
      perAccountAndAddress: Number(value.SIGN_IN_LIMIT_PER_ACCOUNT),
      perAddress: Number(value.SIGN_IN_LIMIT_PER_ADDRESS),
    },
    /** How many sign-ups, email requests and wrong codes one IP address may send within 15 minutes. */
    signUpsPerAddress: Number(value.SIGN_UP_LIMIT_PER_ADDRESS),
    /** The pause between two emails of the same kind to the same address. */
    mailIntervalMs: Number(value.MAIL_INTERVAL_SECONDS) * SECOND_MS,
    /**
     * The number of days after which the signing key of access tokens is replaced. If null, it is replaced
     * only on request.
     */
    signingKeyDays: value.SIGNING_KEY_DAYS === undefined ? null : Number(value.SIGNING_KEY_DAYS),
    /** Whether the hosted protocol allows sign-in without a name or an email address. */
    allowsAnonymous: value.GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED === 'true',
    /** Patterns for addresses at other origins to which sign-ins and email links may lead. */
    allowedRedirects: value.GOTRUE_URI_ALLOW_LIST?.split(',').map((part) => part.trim()) ?? [],
    /** The blockchains whose wallets can be used to sign in. */
    web3Chains: [
      ...(value.GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED === 'true' ? ['ethereum' as const] : []),
      ...(value.GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED === 'true' ? ['solana' as const] : []),
    ],
    /** Variables of the hosted service that have no effect. */
    unknownAuthSettings: findUnknownSettings(nonEmpty),
    /** The site for which security keys and passkeys sign challenges. */
    relyingParty,
    /** Whether people may sign in with a passkey. */
    allowsPasskeys: relyingParty !== null && value.GOTRUE_PASSKEY_ENABLED === 'true',
    /** Whether people may link and unlink sign-in methods themselves. */
    allowsLinking: value.GOTRUE_SECURITY_MANUAL_LINKING_ENABLED === 'true',
    /** The providers with which people may sign in. */
    providers: readProviderSettings(nonEmpty),
    /** The settings for sign-in through SAML providers. If null, that sign-in is off. */
    saml: readSamlSettings(nonEmpty, publicUrl),
    /** The hosted project that holds the accounts. If null, this server holds them. */
    hostedProject: readHostedProject(nonEmpty, publicUrl),
    /** Sign-in by phone number, phones as a second factor, and the program that sends text messages. */
    phone: readPhoneSettings(nonEmpty),
    apiKeyRequestsPerMinute: Number(value.API_KEY_REQUESTS_PER_MINUTE),
    uploadLimitBytes: parseSize(value.UPLOAD_LIMIT),
    /** Private addresses that imports by URL may reach in addition to the public internet. */
    urlImportAllow: allowRulesOf(value.URL_IMPORT_ALLOW ?? '').filter((rule) => rule !== null),
    /** Private addresses at which sign-in providers may be reached, in addition to the public internet. */
    providerAllow: allowRulesOf(value.SIGN_IN_PROVIDER_ALLOW ?? '').filter((rule) => rule !== null),
    /** The malware scanner for received files. Null if files are not scanned. */
    clamd: parseClamdAddress(value.CLAMD_URL ?? ''),
    /** The path of a PrusaSlicer-compatible program; null if none is configured. */
    slicerPath: value.SLICER_PATH ?? null,
    /**
     * The AI service that suggests titles, tags and descriptions. If null, they are derived from names and
     * geometry.
     */
    ai: value.AI_BASE_URL === undefined ? null : aiOf(value.AI_BASE_URL, value.AI_MODEL, value.AI_API_KEY),
    currency: value.CURRENCY,
    locale: value.LOCALE ?? null,
    /** The name and the address of the shop on printed papers, as lines. */
    sender: readSender(nonEmpty),
    metrics: value.METRICS,
    /** A request with this token can read the metrics from anywhere. */
    metricsToken: value.METRICS_TOKEN ?? null,
    /** The system that gets the security events. Null if there is none. */
    securityLog: securityLogOf(value),
    /** Where the server sends traces. Null if traces are off. */
    traces: readTraceSettings(nonEmpty),
    logLevel: value.LOG_LEVEL,
  }
}
