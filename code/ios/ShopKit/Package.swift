// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "ShopKit",
    platforms: [.iOS(.v16)],
    products: [
        .library(name: "ShopKit", targets: ["ShopKit"])
    ],
    dependencies: [
        .package(url: "https://git.ferry.example/ferry-swift.git", from: "2.4.0")
    ],
    targets: [
        .target(
            name: "ShopKit",
            dependencies: [.product(name: "Ferry", package: "ferry-swift")]
        )
    ]
)
