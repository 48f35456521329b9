/** First line of an age file in ASCII armor. */
export const ARMOR_BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----'
