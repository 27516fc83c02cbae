import { Printer } from 'lucide-react'
import { RoomNotice } from '@/components/room-notice.tsx'

export function PrintQueueRoom() {
  return (
    <RoomNotice name="Print Queue" Icon={Printer} title="No print jobs">
      Print jobs will be listed here by priority, each with its part, quantity, filament and what it waits
      for.
    </RoomNotice>
  )
}
