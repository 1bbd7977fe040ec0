let audio: AudioContext | undefined

/** Two short soft notes. Silent until somebody has used the page: browsers let none sound before, and would play what gathered all at once. */
export async function beep(): Promise<void> {
  if (!navigator.userActivation.hasBeenActive) return
  audio ??= new AudioContext()
  if (audio.state !== "running") await audio.resume().catch(() => undefined)
  note(audio, 660, 0)
  note(audio, 880, 0.14)
}

function note(audio: AudioContext, frequency: number, delay: number): void {
  const start = audio.currentTime + delay
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.frequency.value = frequency
  volume.gain.setValueAtTime(0, start)
  volume.gain.linearRampToValueAtTime(0.12, start + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.18)
  tone.connect(volume).connect(audio.destination)
  tone.start(start)
  tone.stop(start + 0.2)
}
