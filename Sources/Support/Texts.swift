/// The texts of a program for users: whole sentences with numbered placeholders, none assembled from pieces. Each
/// module adds its own in extensions that only it can see.
package enum Texts {}
