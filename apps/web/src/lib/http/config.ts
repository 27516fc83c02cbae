import { type ClientConfig, getConfig } from '@pegasus/contracts/client-config'
import { useSyncExternalStore } from 'react'
import { callApi } from './api.ts'
import { STRANGE_ANSWER } from './api-error.ts'
import { setFormats } from '../format/format.ts'
import { logWarning } from '../browser/log.ts'

let config: ClientConfig | null = null
let hasFailed = false
let loading: Promise<void> | null = null
const listeners = new Set<() => void>()

/** Loads the configuration. If this fails, the failure is logged and the app runs without the configured features. */
export function loadConfig(): Promise<void> {
  loading ??= load()
  return loading
}

async function load(): Promise<void> {
  try {
    const answer: unknown = await callApi(getConfig)
    if (!isConfig(answer)) throw new Error(STRANGE_ANSWER)
    config = answer
  } catch (error) {
    logWarning('The environment check failed; continuing with the defaults.', error)
    hasFailed = true
  }
  if (config) setFormats(config)
  if (config) rememberProject(config)
  for (const listener of listeners) listener()
}

/**
 * Returns whether a response is a configuration. The sign-in of a guest network may answer with JSON of its own. Fields
 * are not checked one by one, because an older server may lack the newest ones.
 */
const isConfig = (answer: unknown): answer is ClientConfig =>
  typeof answer === 'object' && answer !== null && 'product_name' in answer && 'sign_in_providers' in answer

/**
 * The localStorage key of the hosted project. It is needed while the server does not respond: a session of the project
 * must not be renewed anywhere else.
 */
const PROJECT_KEY = 'pegasus-ops-project'

/** The hosted project that holds the accounts instead of this server. */
export interface HostedProject {
  url: string
  key: string
}

function rememberProject({ supabase_url: url, supabase_anon_key: key }: ClientConfig): void {
  if (url === null) localStorage.removeItem(PROJECT_KEY)
  else localStorage.setItem(PROJECT_KEY, JSON.stringify({ url, key } satisfies HostedProject))
}

/**
 * Returns the hosted project; null if this server holds the accounts. Waits for the configuration. If it cannot be
 * loaded, the stored result of the last visit is used.
 */
export async function findHostedProject(): Promise<HostedProject | null> {
  await loadConfig()
  return storedProject()
}

function storedProject(): HostedProject | null {
  const stored = localStorage.getItem(PROJECT_KEY)
  return stored === null ? null : (JSON.parse(stored) as HostedProject)
}

/**
 * Returns the address of the hosted project; null if this server holds the accounts. Until the configuration has
 * loaded, the stored result of the last visit is used.
 */
export const useProjectUrl = (): string | null =>
  useSyncExternalStore(subscribe, () => (config ? config.supabase_url : (storedProject()?.url ?? null)))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The server's configuration; null until it has loaded, or if it could not be loaded. */
export const useConfig = (): ClientConfig | null => useSyncExternalStore(subscribe, () => config)

/**
 * `outbox` means that emails wait for an administrator to deliver them. Null until the configuration has
 * loaded. If it cannot be loaded, `outbox` is assumed.
 */
export const useMailDelivery = (): ClientConfig['mail_delivery'] | null =>
  useSyncExternalStore(subscribe, () => config?.mail_delivery ?? (hasFailed ? 'outbox' : null))

/**
 * The setting that says who may create an account. Null until the configuration has loaded. If it cannot be
 * loaded, `approval` is assumed; the server decides in any case.
 */
export const useSignUpMode = (): ClientConfig['signups'] | null =>
  useSyncExternalStore(subscribe, () => config?.signups ?? (hasFailed ? 'approval' : null))
