import type { WaitAction } from '@pegasus/contracts/print-queue/job-waits'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import type { JobAddresses } from '../print-queue-address.ts'
import type { useMatching } from './use-matching.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

interface WaitActionsProps {
  /** The actions of the reasons. Several reasons may have the same action, which is shown once. */
  actions: readonly WaitAction[]
  /** Name of the printer or the job, for the names of the buttons. */
  name: string
  matching: ReturnType<typeof useMatching>
  /** Opens the dialog that clears the bed of a printer. */
  onClear: (printerId: string) => void
  addresses: JobAddresses
  /** Address of the job's page, if the job cannot be edited here. */
  jobAddress?: string
}

/** A button for each step that resolves a reason, or a link if the step belongs to another page. */
export function WaitActions({ actions, name, matching, onClear, addresses, jobAddress }: WaitActionsProps) {
  const linkOf = ({ kind, stl_file_id: modelId, printer_id: printerId }: WaitAction): string | null => {
    if (kind === 'add_spool') return addresses.spools
    if (kind === 'add_printer') return addresses.printers
    if (kind === 'edit_printer') return addresses.printerForm(printerId ?? '')
    if (kind === 'change_color' && jobAddress !== undefined) return jobAddress
    return kind === 'slice' && modelId ? addresses.model(modelId) : null
  }
  return (
    <>
      {[...new Map(actions.map((action) => [action.label, action])).values()].map((action) => {
        const link = linkOf(action)
        const label = serverText(action.label)
        return link ? (
          <Link key={action.label} to={link} className="link self-center text-label">
            {label}
          </Link>
        ) : (
          <Button
            key={action.label}
            size="sm"
            aria-label={t('{label} for {name}', { label, name })}
            onClick={() =>
              action.kind === 'clear' ? onClear(action.printer_id ?? '') : matching.act.mutate(action)
            }
          >
            {label}
          </Button>
        )
      })}
    </>
  )
}
