import type { StorageOptions } from '../platform/storage/open-storage.ts'
import type { DemoServerOptions } from './demo-server.ts'

/** The message that starts the making of a demo. Its only secret of the shop is the access to the storage. */
export interface MakingOrder {
  options: Omit<DemoServerOptions, 'storage' | 'log' | 'buildApp'>
  /** The password of all accounts of the demo. */
  password: string
  storage: StorageOptions
  /** The prefix of the keys of the demo's files. */
  prefix: string
  migrations: string
  logLevel: string
}

/** A message from the process that makes a demo: the progress in percent, or the reason for its failure. */
export type MakingNews = { percent: number } | { failure: string }
