import {
  ALERT_KINDS,
  type AlertChoice,
  type AlertChoices,
  defaultAlertChoices,
} from '@pegasus/contracts/alerts/alerts'

/** The stored choices of a person. Some can be missing, because earlier versions had fewer choices. */
export type StoredChoices = Partial<
  Record<keyof AlertChoices, Omit<AlertChoice, 'by_push'> & Partial<Pick<AlertChoice, 'by_push'>>>
>

/**
 * Fills in the default of the role for every choice that a person has not made. Until a person chooses alerts for
 * devices, the devices get the same alerts as the inbox.
 */
export function completeChoices(role: string, stored: StoredChoices | null): AlertChoices {
  const choices = defaultAlertChoices(role)
  for (const kind of ALERT_KINDS) {
    const chosen = stored?.[kind]
    if (chosen) choices[kind] = { ...chosen, by_push: chosen.by_push ?? chosen.in_app }
  }
  return choices
}
