import type { AlertKind } from '@pegasus/contracts/alerts/alerts'

/** An event that is sent to channels. Every channel gets the same content, in the format of its kind. */
export interface ChannelEvent {
  kind: AlertKind | 'test'
  at: string
  /** The name of the kind, such as `Order shipped`. */
  headline: string
  /** The subject of the event, such as the name of an item or the number of an order. */
  title: string
  sentence: string
  /** Address of the subject in the app. */
  url: string
  entity_id: string | null
  /** Details of the event. Their names depend on its kind. */
  facts: Readonly<Record<string, unknown>>
}
