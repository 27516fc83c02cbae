import type { StorageOptions } from '../platform/storage/open-storage.ts'
import type { DemoServerOptions } from './demo-server.ts'

/** What the process that makes a demo receives. It holds no secret of the shop except the access to its storage. */
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

/** What the process sends: how much is made, in percent, or why the demo could not be made. */
export type MakingNews = { percent: number } | { failure: string }
