export declare const howToGetChromium: string
export declare function findChromium(path?: string): string | undefined
