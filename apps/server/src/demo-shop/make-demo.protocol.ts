import type { StorageOptions } from '../platform/storage/open-storage.ts'
import type { DemoServerOptions } from './demo-server.ts'

/** The message to the process that makes a demo. The access to the storage is the only secret of the shop in it. */
export interface MakingOrder {
  options: Omit<DemoServerOptions, 'storage' | 'log' | 'buildApp'>
  /** The password of all people of the demo. */
  password: string
  storage: StorageOptions
  /** The beginning of the keys of the demo's files. */
  prefix: string
  migrations: string
  logLevel: string
}

/** A message of the process that makes a demo: its progress in percent, or the reason why it failed. */
export type MakingNews = { percent: number } | { failure: string }
