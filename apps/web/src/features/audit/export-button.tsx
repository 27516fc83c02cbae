import { Download, X } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { formatKb } from '@/lib/format/format.ts'
import type { AuditFilters } from './audit-address.ts'
import { useAuditExport } from './use-audit-export.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Saves all listed entries as a table for spreadsheets. */
export function ExportButton({ filters, isDisabled }: { filters: AuditFilters; isDisabled: boolean }) {
  const { start, cancel, receivedBytes } = useAuditExport(filters)
  if (receivedBytes === null)
    return (
      <Button onClick={start} disabled={isDisabled} icon={<Download {...ICON} />}>
        Export
      </Button>
    )
  return (
    <Button onClick={cancel} icon={<X {...ICON} />}>
      Cancel export <span className="text-ink-3">{formatKb(receivedBytes)}</span>
    </Button>
  )
}
