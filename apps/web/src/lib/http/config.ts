import { type ClientConfig, getConfig } from '@pegasus/contracts/client-config'
import { useSyncExternalStore } from 'react'
import { callApi } from './api.ts'
import { setFormats } from '../format/format.ts'
import { logWarning } from '../browser/log.ts'

let config: ClientConfig | null = null
let hasFailed = false
const listeners = new Set<() => void>()

/** The environment check: a failure is logged and the app goes on without what the configuration would add. */
export async function loadConfig(): Promise<void> {
  try {
    config = await callApi(getConfig)
  } catch (error) {
    logWarning('The environment check failed; going on with the defaults.', error)
    hasFailed = true
  }
  if (config) setFormats(config)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What the server told at the start; null until it has, and if it could not. */
export const useConfig = (): ClientConfig | null => useSyncExternalStore(subscribe, () => config)

/**
 * Whether mails leave, or wait for an administrator to pass them on; null until the server has told. If it could
 * not: its default.
 */
export const useMailDelivery = (): ClientConfig['mail_delivery'] | null =>
  useSyncExternalStore(subscribe, () => config?.mail_delivery ?? (hasFailed ? 'outbox' : null))

/** Who may make an account; null until the server has told. If it could not: its default, and it decides anyway. */
export const useSignUpMode = (): ClientConfig['signups'] | null =>
  useSyncExternalStore(subscribe, () => config?.signups ?? (hasFailed ? 'approval' : null))
