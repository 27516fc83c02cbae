const TONES = {
  found: [{ hertz: 1760, fromMs: 0, lastMs: 90 }],
  // The tones rise, as the voice does in a question.
  question: [
    { hertz: 660, fromMs: 0, lastMs: 120 },
    { hertz: 880, fromMs: 160, lastMs: 180 },
  ],
  refused: [
    { hertz: 220, fromMs: 0, lastMs: 120 },
    { hertz: 196, fromMs: 160, lastMs: 180 },
  ],
} as const
const LOUDNESS = 0.08

let audio: AudioContext | null = null

/**
 * Plays one high tone for a match, two rising tones for a question, or two low tones for no match, because people look at
 * the shelf while they scan.
 */
export function beep(outcome: keyof typeof TONES): void {
  try {
    audio ??= new AudioContext()
    for (const { hertz, fromMs, lastMs } of TONES[outcome]) {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()]
      const start = audio.currentTime + fromMs / 1000
      tone.frequency.value = hertz
      volume.gain.value = LOUDNESS
      tone.connect(volume).connect(audio.destination)
      tone.start(start)
      tone.stop(start + lastMs / 1000)
    }
  } catch {
    // Without a sound card, or before the first interaction with the page, no tone is played.
  }
}
