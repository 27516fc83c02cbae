import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fillShop } from './fill-shop.ts'
import { withShop } from './open-shop.ts'
import { DEMO_PASSWORD } from './people.ts'

/** The demo's data folder, separate from `./data` of a real shop. */
const DEMO_FOLDER = './demo-data'
const DEMO_PORT = '3001'
/** Name of a file in the folder, which shows that the shop is complete. */
const FILLED = 'demo-shop-is-filled'

/**
 * Variables that the demo inherits from its caller. Any other variable could let the demo reach the data or
 * the email of a real shop.
 */
const INHERITED = ['HOST', 'PORT', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'LOCALE', 'METRICS', 'LOG_LEVEL'] as const
const OWN = [
  'DATABASE_URL',
  'STORAGE_URL',
  'ROOT_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIN_SITE_URL',
  'CURRENCY',
  'SIGNUPS',
  'OWNER_EMAIL',
  'OWNER_USERNAME',
] as const

/**
 * The example shop to which the demo publishes, with its public key, which gives access to that shop only.
 */
export const DEMO_SITE = {
  host: '127.0.0.1',
  port: 4000,
  adminKey: 'demo-shop-key',
  webhookSecret: 'demo-shop-webhook-secret',
} as const

/** Returns the server's variables for a demo: its own folder and port, and an owner with a public password. */
export function demoVariables(caller: NodeJS.ProcessEnv): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => (caller[name]?.trim() ? [[name, caller[name]] as const] : []))
  return {
    PORT: DEMO_PORT,
    LOG_LEVEL: 'warn',
    ...Object.fromEntries(OWN.map((name) => [name, ''])),
    ...Object.fromEntries(inherited),
    DATA_DIR: DEMO_FOLDER,
    OWNER_PASSWORD: DEMO_PASSWORD,
    MAIN_SITE_URL: `http://${DEMO_SITE.host}:${DEMO_SITE.port}`,
    MAIN_SITE_ADMIN_KEY: DEMO_SITE.adminKey,
    MAIN_SITE_WEBHOOK_SECRET: DEMO_SITE.webhookSecret,
    MAIN_SITE_ADMIN_HEADER: 'X-Admin-Key',
  }
}

/** Fills the demo's folder if necessary. Throws the reason of `signal` if it aborts. */
export async function prepareDemo(
  variables: Record<string, string>,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const marker = join(resolve(variables['DATA_DIR'] ?? DEMO_FOLDER), FILLED)
  if (existsSync(marker)) return
  const startedAt = performance.now()
  say(`filling a demo shop in ${DEMO_FOLDER}, once`)
  await withShop(variables, signal, (shop) => fillShop(shop, { now: new Date() }))
  await writeFile(marker, 'Remove the whole folder for a new demo shop.\n')
  say(`the demo shop is filled after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
