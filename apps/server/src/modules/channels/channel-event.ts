import type { AlertKind } from '@pegasus/contracts/alerts'

/** An event that channels get. The same content goes to all of them, each in its own form. */
export interface ChannelEvent {
  kind: AlertKind | 'test'
  at: string
  /** The name of the kind, such as `Order shipped`. */
  headline: string
  /** The subject: the name of an item, the number of an order. */
  title: string
  sentence: string
  /** Address of the subject in the app. */
  url: string
  entity_id: string | null
  /** Figures of the event, which depend on its kind. */
  facts: Readonly<Record<string, unknown>>
}
