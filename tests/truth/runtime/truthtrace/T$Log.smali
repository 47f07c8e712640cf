.class final Ltruthtrace/T$Log;
.super Ljava/lang/Object;
.source "T.java"

# annotations
.annotation system Ldalvik/annotation/EnclosingClass;
    value = Ltruthtrace/T;
.end annotation

.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x18
    name = "Log"
.end annotation

# instance fields
.field volatile count:I

.field ids:[I

.field final name:Ljava/lang/String;

.field final number:I

# direct methods
.method constructor <init>(ILjava/lang/String;)V
    .registers 4
    .param p1, "number"    # I
    .param p2, "name"    # Ljava/lang/String;

    .line 27
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    .line 24
    const/16 v0, 0x400

    new-array v0, v0, [I

    iput-object v0, p0, Ltruthtrace/T$Log;->ids:[I

    .line 28
    iput p1, p0, Ltruthtrace/T$Log;->number:I

    .line 29
    iput-object p2, p0, Ltruthtrace/T$Log;->name:Ljava/lang/String;

    .line 30
    return-void
.end method
