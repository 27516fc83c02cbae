import { Spool } from 'lucide-react'
import { RoomNotice } from '@/components/room-notice.tsx'

export function FilamentRoom() {
  return (
    <RoomNotice name="Filament" Icon={Spool} title="No filament spools">
      Spools will be listed here, each with its material, colour, what is left of it and where it is.
    </RoomNotice>
  )
}
