import type { ReactNode } from 'react'

/** One state of a component. */
export interface Example {
  /** Name of the state: `Disabled`, `With an error`. */
  name: string
  show: ReactNode
  /** True if the example needs the whole width, as a table does. */
  isWide?: boolean
}

/** The examples of one component. */
export interface ExampleGroup {
  /** Name of the component: `Button`. */
  component: string
  examples: readonly Example[]
}

/** An event handler that does nothing, for examples in which a click has no effect. */
export const ignore = (): void => undefined
