import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { STATE_DISPLAY } from '@/components/production/printer-states.ts'

export function PrinterStateBadge({ printer: { state } }: { printer: Printer }) {
  const { tone, label } = STATE_DISPLAY[state]
  return (
    <StatusBadge status={state} tone={tone}>
      {label}
    </StatusBadge>
  )
}
