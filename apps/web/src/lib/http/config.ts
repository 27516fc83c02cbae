import { type ClientConfig, getConfig } from '@pegasus/contracts/client-config'
import { useSyncExternalStore } from 'react'
import { callApi } from './api.ts'
import { setFormats } from '../format/format.ts'
import { logWarning } from '../browser/log.ts'

let config: ClientConfig | null = null
let hasFailed = false
const listeners = new Set<() => void>()

/** Loads the configuration. If this fails, the failure is logged and the app runs without the configured features. */
export async function loadConfig(): Promise<void> {
  try {
    config = await callApi(getConfig)
  } catch (error) {
    logWarning('The environment check failed; continuing with the defaults.', error)
    hasFailed = true
  }
  if (config) setFormats(config)
  for (const listener of listeners) listener()
}

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
