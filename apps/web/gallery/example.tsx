import type { ReactNode } from 'react'

/** A component in one of its states. */
export interface Example {
  /** The state: `Disabled`, `With an error`. */
  name: string
  show: ReactNode
  /** Whether it needs the whole width, like a table. */
  isWide?: boolean
}

/** The examples of one component. */
export interface ExampleGroup {
  /** Name of the component: `Button`. */
  component: string
  examples: readonly Example[]
}

/** A handler for examples in which a click has no effect. */
export const ignore = (): void => undefined
